import torch
from accelerate.utils import is_bf16_available
from transformers.utils import is_torch_bf16_gpu_available

dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16  # want TV602 "is true where bfloat16 is only emulated"
use_bf16 = torch.cuda.is_available() and torch.cuda.is_bf16_supported()  # want TV602 "takes it for native"
auto = "bf16" if is_torch_bf16_gpu_available() else "fp16"  # want TV602 "is_torch_bf16_gpu_available"


def pick(wanted):
    if wanted == "bf16" and not torch.cuda.is_bf16_supported():  # want TV602 "emulated"
        raise ValueError("no bf16 here")
    if is_bf16_available():  # want TV602 "emulated"
        return torch.bfloat16
    return torch.float32


def intel():
    return torch.xpu.is_bf16_supported()  # want TV602 "emulated"


native = torch.cuda.is_bf16_supported(including_emulation=False)  # ok: native
native_too = torch.cuda.is_bf16_supported(False)  # ok: native
npu = torch.npu.is_bf16_supported()  # ok: it has no such argument
mlu = torch.mlu.is_bf16_supported()  # ok: the same
hpu = torch.hpu.is_bf16_supported()  # ok: the same
print(torch.cuda.is_bf16_supported())  # ok: it is only printed
print(f"bf16: {torch.cuda.is_bf16_supported()}")  # ok: it is only printed
torch.cuda.is_bf16_supported()  # ok: thrown away
assert torch.cuda.is_bf16_supported()  # ok: nothing is chosen by it


def with_capability():
    major, _ = torch.cuda.get_device_capability()
    return torch.cuda.is_bf16_supported() and major >= 8  # ok: the generation decides


def with_properties():
    if torch.cuda.get_device_properties(0).major < 8:
        return torch.float16
    return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16  # ok: the generation decides


def is_bf16_supported():
    return False


own = is_bf16_supported()  # ok: another function
