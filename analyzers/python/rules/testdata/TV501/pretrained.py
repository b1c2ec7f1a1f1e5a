from transformers import AutoModel
import torch

model = AutoModel.from_pretrained("x")
for batch in test_loader:
    print(model(batch))  # ok: what from_pretrained gives is in evaluation mode
