"""What each rank of a run is made of, written at its first step: the commit, what it
was started with, versions, the switches that change how numbers are computed, how
large its data and its model are. The audit holds the ranks against each other and
names what differs. What is a rank's own by its nature (its number, its device, its
seed, where it writes) is left out."""

import os
import sys
import zlib

from trainvet import process, replicas

CODE = "ranks-unlike"
VARIABLES = ("CUBLAS_WORKSPACE_CONFIG", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NVIDIA_TF32_OVERRIDE", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "TORCH_BLAS_PREFER_HIPBLASLT",
             "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ENABLE_MPS_FALLBACK", "PYTORCH_MPS_FAST_MATH", "TORCHDYNAMO_DISABLE", "CUDA_LAUNCH_BLOCKING", "XLA_FLAGS")
OWN_NCCL = ("IFNAME", "HCA", "HOSTID", "DEBUG", "TOPO", "GID", "_FILE", "COMM_ID", "NET_")  # of a node
OWN_ARGUMENTS = ("rank", "device", "gpu", "seed", "port", "addr", "dir", "path", "out", "log", "name", "node", "process", "time", "host", "pid", "id", "index")
LIBRARIES = ("torch", "transformers", "accelerate", "lightning", "deepspeed", "numpy")
MAX_WORDS = 160


class Guard:
    def __init__(self, live, stepping, loaders, intent):
        self.live, self.stepping, self.loaders = live, stepping, loaders
        self.told = {}  # by source: a digest of what it said
        intent.listeners.append(self.configured)
        stepping.listeners.append(self.stepped)

    def configured(self, source, values):
        if len(self.told) < 16 and isinstance(values, dict):
            self.told[source] = digest(sorted((str(k), str(v)) for k, v in values.items() if isinstance(k, str) and not of_rank(k) and isinstance(v, (str, int, float, bool, type(None)))))

    def stepped(self, optimizer, ledger, scaled):
        self.stepping.leave(self.stepped)
        if replicas.ranks():
            self.write(optimizer)

    def write(self, optimizer):
        torch = sys.modules["torch"]
        items = {"commit": commit(script()), "arguments": " ".join(arguments())[:MAX_WORDS], "Python": "%d.%d.%d" % sys.version_info[:3]}
        items.update(("configuration of %s" % source, value) for source, value in self.told.items())
        items.update((name, str(getattr(sys.modules[name], "__version__", ""))) for name in LIBRARIES if name in sys.modules)
        items["CUDA"] = str(getattr(torch.version, "cuda", None) or getattr(torch.version, "hip", None) or "none")
        items.update(numerics(torch))
        items["variables"] = " ".join("%s=%s" % pair for pair in variables().items())
        latest = self.loaders.latest
        if latest is not None:
            items["batch size"] = str(latest.size)
            items["samples of the dataset"] = str(latest.known)
        items["parameters"] = str(sum(p.numel() for g in optimizer.param_groups for p in g["params"]))
        self.live.out.write("held", {
            "code": CODE, "effect": "note", "group": "what all ranks are made of", "member": "rank %d" % torch.distributed.get_rank(),
            "expect": "equal", "text": "ranks are not made alike", "items": [{"step": -1, "name": k, "value": v or "none"} for k, v in items.items()][:64],
        })

    def forked(self):
        self.stepping.listeners.append(self.stepped)


def of_rank(name):
    words = name.lower().lstrip("-_").replace("-", "_").split("_")
    return any(w in OWN_ARGUMENTS for w in words)


def arguments():
    """As they were given, without those that differ by rank."""
    out, skip = [], False
    for arg in sys.argv:
        if skip and not arg.startswith("-"):
            skip = False
            continue
        skip = False
        key, equals, _ = arg.partition("=")
        if arg.startswith("-") and of_rank(key):
            skip = not equals
            continue
        out.append(process.printable(os.path.basename(arg) if arg is sys.argv[0] else arg))
    return out


def numerics(torch):
    """The switches that change what is computed of the same numbers."""
    asks = (
        ("matmul precision", lambda: torch.get_float32_matmul_precision()),
        ("deterministic algorithms", lambda: torch.are_deterministic_algorithms_enabled()),
        ("cudnn deterministic", lambda: torch.backends.cudnn.deterministic),
        ("cudnn benchmark", lambda: torch.backends.cudnn.benchmark),
        ("TF32 of cudnn", lambda: torch.backends.cudnn.allow_tf32),
        ("TF32 of matmul", lambda: torch.backends.cuda.matmul.allow_tf32),
        ("default dtype", lambda: torch.get_default_dtype()),
        ("reduced fp16", lambda: torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction),
    )
    out = {}
    for name, ask in asks:
        try:
            out[name] = str(ask())
        except Exception:  # another release has another name for it
            pass
    return out


def variables():
    return {name: os.environ[name][:MAX_WORDS] for name in sorted(os.environ)
            if name in VARIABLES or (name.startswith("NCCL_") and not any(part in name for part in OWN_NCCL))}


def script():
    return getattr(sys.modules.get("__main__"), "__file__", None) or sys.argv[0] or "."


def commit(path):
    """Of the repository that the trainer lies in, read from its files: no program is
    started for it."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return head(git)
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent


def head(git):
    text = process.read(os.path.join(git, "HEAD")).strip()
    if not text.startswith("ref: "):
        return text[:40]
    ref = text[5:]
    found = process.read(os.path.join(git, ref)).strip()
    if not found:
        for line in process.read(os.path.join(git, "packed-refs")).splitlines():
            if line.endswith(" " + ref):
                found = line.partition(" ")[0]
    return found[:40]


def digest(rows):
    return "%08x" % (zlib.crc32(repr(rows).encode("utf-8", "replace")) & 0xFFFFFFFF)
