import torch

device = "cuda" if torch.cuda.is_available() else "cpu"  # want TV612 "chooses among cpu, cuda; 2 of the 3 places"
print("GPU" if torch.cuda.is_available() else "none")  # ok: no device
