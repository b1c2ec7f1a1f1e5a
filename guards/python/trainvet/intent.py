"""What a trainer was asked for, as far as its arguments and configurations say it:
which device, how many epochs, how many steps, and what may end it before.

A value that stands in the command line was asked for; one that is a default says
what the trainer would do by itself."""

import os
import sys

EPOCHS = ("epochs", "num_epochs", "n_epochs", "max_epochs", "total_epochs", "train_epochs", "num_train_epochs", "max_epoch", "nb_epochs", "nepochs", "epoch_num", "num_epoch", "training_epochs")
STEPS = ("max_steps", "max_train_steps", "max_iters", "max_iter", "max_iterations", "max_updates", "max_update", "total_steps", "train_steps", "num_train_steps", "training_steps",
         "num_training_steps", "total_training_steps", "train_iters", "total_iters", "num_iters", "num_iterations", "max_step", "n_steps", "num_steps", "steps", "iterations", "iters")
PLANS = STEPS[:18]  # of the others some count something else: a rollout, a sequence
OTHERWISE = ("patience", "early_stop", "earlystop", "early_stopping", "max_time", "time_limit", "max_hours", "max_minutes", "target_", "stop_", "tolerance", "until", "resume", "init_from", "continue_from")
PER_EPOCH = ("start_epoch", "begin_epoch", "resume_epoch", "first_epoch", "initial_epoch", "epoch_start")
DEVICES = ("device", "accelerator", "device_type", "backend_device", "train_device", "dev")
FLAGS = {"cpu": "cpu", "use_cpu": "cpu", "no_cuda": "cpu", "no_gpu": "cpu", "disable_cuda": "cpu", "cpu_only": "cpu", "force_cpu": "cpu",
         "cuda": "gpu", "use_cuda": "gpu", "gpu": "gpu", "use_gpu": "gpu", "mps": "gpu", "use_mps": "gpu"}
COUNTS = ("gpus", "num_gpus", "n_gpu", "n_gpus", "ngpu", "ngpus")
INDICES = ("gpu", "cuda", "gpu_id", "gpu_ids", "gpu_index", "cuda_device", "device_id", "device")
GPUS = ("cuda", "gpu", "mps", "xpu", "rocm", "hip", "npu", "hpu", "tpu", "xla", "mlu", "musa", "metal")
VARIABLES = ("DEVICE", "ACCELERATOR", "TRAIN_DEVICE")
HIDDEN = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK")
MAX_DEPTH = 3


class Guard:
    """Told of arguments and configurations by package settings."""

    def __init__(self, live, settings):
        self.live = live
        self.epochs, self.steps = {}, {}  # by number: where it is said
        self.limits = []  # numbers of steps that end the run
        self.start = 0.0  # epochs that are not made again
        self.otherwise = []  # names of what may end it before
        self.devices = []  # (gpu or cpu, the word, where it is said, whether it was typed)
        self.read = False  # the command line, which no parser told of
        settings.listeners.append(self.told)

    def told(self, source, values):
        """Arguments as they were parsed, a configuration as it was read."""
        if isinstance(values, dict):
            self.look(source, values, MAX_DEPTH)

    def command_line(self):
        """For trainers that read it by themselves."""
        if not self.read:
            self.read = True
            self.told("the command line", dict(typed()))
        return self

    def look(self, source, values, depth):
        for key, value in list(values.items())[:512]:
            if not isinstance(key, str):
                continue
            if isinstance(value, dict) and depth:
                self.look(source, value, depth - 1)
            else:
                self.entry(key, normal(key.rpartition(".")[2]), value, source)

    def entry(self, key, name, value, source):
        said = "%s of %s" % (key, source)
        n = number(value)
        if n is not None and n > 0:
            if name in EPOCHS:
                self.epochs[n] = said
            elif name in STEPS:
                self.limits.append(n)
                if name in PLANS:
                    self.steps[n] = said
            elif name in PER_EPOCH:
                self.start = n
        if value and any(word in name for word in OTHERWISE):
            self.otherwise.append(key)
        kind, is_typed = self.device(name, value, n), any(normal(k.rpartition(".")[2]) == name for k, _ in typed())
        if kind is not None and (is_typed or not isinstance(n, float)):  # an index by default says nothing
            self.devices.append((kind, key if value is True else "%s %s" % (key, value), said, is_typed))

    def device(self, name, value, n):
        if n is not None:
            if name in COUNTS:
                return "gpu" if n > 0 else "cpu"
            return ("gpu" if n >= 0 else "cpu") if name in INDICES else None
        if name in FLAGS and value is True:
            return FLAGS[name]
        return kind_of(value) if name in DEVICES + INDICES + COUNTS else None

    def planned(self, of):
        """(number, where it is said) of epochs or steps; None: nothing says it, or
        two numbers do."""
        found = list(of.items())
        return found[0] if len(found) == 1 else None

    def wanted(self):
        """(gpu, cpu or auto; the word; where it is said). What was asked for goes
        before what is a default; a default of cpu is what a trainer found."""
        for asked in (True, False):
            for kind, word, said, explicit in reversed(self.devices):
                if explicit is asked and (asked or kind == "gpu"):
                    return kind, word, said
        for name in VARIABLES:
            kind = kind_of(os.environ.get(name, ""))
            if kind is not None:
                return kind, os.environ[name], "the variable " + name
        if truth(os.environ.get("ACCELERATE_USE_CPU", "")):
            return "cpu", "cpu", "the variable ACCELERATE_USE_CPU"
        for name in HIDDEN:
            if os.environ.get(name) in ("", "-1", "NoDevFiles"):
                return "hidden", "no device", "the variable " + name
        return "auto", "", ""


def normal(name):
    return name.lstrip("-+").replace("-", "_").lower()


def number(value):
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str) and 0 < len(value) < 16:
        try:
            return float(value.replace("_", ""))
        except ValueError:
            return None
    return None


def kind_of(value):
    """gpu or cpu, of a word or a torch.device; None: it is neither."""
    word = str(getattr(value, "type", value)).lower().partition(":")[0] if not isinstance(value, (int, float, list, tuple, dict)) else ""
    if word == "cpu":
        return "cpu"
    return "gpu" if word in GPUS else None


def typed():
    """(key, value) of --key value, --key=value and key=value; a key alone is True."""
    args = sys.argv[1:]
    for arg, following in zip(args, args[1:] + ["--"]):
        key, equals, value = arg.partition("=")
        if equals and key.lstrip("-+").replace(".", "").replace("-", "").replace("_", "").isalnum():
            yield key.lstrip("-+"), value
        elif arg.startswith("--") and len(arg) > 2:
            yield arg[2:], True if following.startswith("--") else following


def truth(text):
    return text.lower() in ("1", "true", "yes", "on")
