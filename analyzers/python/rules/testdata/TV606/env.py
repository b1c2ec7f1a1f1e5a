import os

os.environ["PYTORCH_ENABLE_MPS_FALLBACK"] = "1"  # want TV606 "run on the CPU from here without a word"
os.environ.setdefault("PYTORCH_ENABLE_MPS_FALLBACK", "1")  # want TV606 "without a word"
os.environ["PYTORCH_ENABLE_MPS_FALLBACK"] = "0"  # ok: off
print(os.environ.get("PYTORCH_ENABLE_MPS_FALLBACK", "1"))  # ok: it is read
os.environ["PYTORCH_MPS_HIGH_WATERMARK_RATIO"] = "1"  # ok: another one
