"""What a run was started with, so that it can be done again: seeds as they were
set, arguments as they were parsed, configurations as trackers were told them,
digests of the configuration files that were read. One line each, in a file of
the run directory; nothing here is judged."""

import functools
import os
import sys

from trainvet import caller

MAX_ENTRIES = 256
MAX_FILE = 4 << 20
ENDINGS = (".yaml", ".yml", ".toml", ".ini", ".cfg", ".gin", ".json")
CONFIGURES = ("config", "arg", "param", "setting", "train")
SECRET = ("key", "token", "secret", "password", "passwd", "credential", "auth")


class Guard:
    def __init__(self, live, directory):
        self.live, self.directory = live, directory
        self.pid, self.fd, self.entries = os.getpid(), None, 0
        self.seen = set()
        self.listeners = []  # told of arguments and configurations: f(source, values)

    def actions(self):
        return {
            "random": lambda m: self.seeds(m, ("seed",)),
            "numpy.random": lambda m: self.seeds(m, ("seed",)),
            "torch.random": lambda m: self.seeds(m, ("manual_seed",)),
            "transformers.trainer_utils": lambda m: self.seeds(m, ("set_seed",)),
            "argparse": self.arguments,
            "transformers.training_args": self.training_arguments,
            "wandb": lambda m: self.told(m, "init", "config"),
            "mlflow.tracking.fluent": self.mlflow,
            "yaml": lambda m: self.readers(m, ("load", "safe_load")),
            "tomllib": lambda m: self.readers(m, ("load",)),
            "json": lambda m: self.readers(m, ("load",)),
        }

    def wrap(self, owner, name, note):
        """Note is told the result and the arguments, when the call is done."""
        original, guard = getattr(owner, name, None), self
        if original is None or getattr(original, "__trainvet_settings__", False):
            return

        @functools.wraps(original)
        def call(*args, **kwargs):
            out = original(*args, **kwargs)
            try:
                if guard.entries < MAX_ENTRIES and os.getpid() == guard.pid:
                    note(out, *args, **kwargs)
            except Exception as e:
                guard.live.report("settings", e)
            return out

        call.__trainvet_settings__ = True
        setattr(owner, name, call)

    def seeds(self, module, names):
        for name in names:
            what = "%s.%s" % (module.__name__, name)
            self.wrap(module, name, lambda out, *args, what=what, **kwargs: self.seed(what, args, kwargs))

    def seed(self, what, args, kwargs):
        value = args[0] if args else next(iter(kwargs.values()), None)
        if value is None or isinstance(value, int):
            self.add("seed", what, value)

    def arguments(self, module):
        self.wrap(module.ArgumentParser, "parse_known_args", lambda out, *rest, **kwargs: self.tell("arguments", "argparse", vars(out[0])))

    def training_arguments(self, module):
        self.wrap(module.TrainingArguments, "__post_init__", lambda out, args: self.tell("arguments", type(args).__name__, dict(vars(args))))

    def told(self, module, name, key):
        self.wrap(module, name, lambda out, *args, **kwargs: self.tell("configuration", module.__name__, kwargs.get(key) or {}))

    def mlflow(self, module):
        self.wrap(module, "log_param", lambda out, key, value, *rest, **kwargs: self.add("configuration", "mlflow", {key: value}))
        self.wrap(module, "log_params", lambda out, params, *rest, **kwargs: self.add("configuration", "mlflow", params))

    def readers(self, module, names):
        for name in names:
            self.wrap(module, name, lambda out, stream=None, *rest, **kwargs: self.file(stream, out))

    def file(self, stream, values):
        name = getattr(stream, "name", None)
        if not isinstance(name, str) or not name.endswith(ENDINGS) or any(part in name for part in ("site-packages", "/.cache/", "/.trainvet/")):
            return
        base = os.path.basename(name)
        if isinstance(values, dict) and (not base.endswith(".json") or any(word in base for word in CONFIGURES)):
            for listener in self.listeners:
                listener(base, values)
        path = os.path.abspath(name)
        if ("file", path) not in self.seen and os.path.getsize(path) <= MAX_FILE:
            self.seen.add(("file", path))
            import hashlib

            with open(path, "rb") as f:
                self.add("file", path, hashlib.sha256(f.read()).hexdigest())

    def tell(self, kind, what, values):
        """To the record, and to those that look for what was asked for."""
        if what != "argparse" or place(sys._getframe(2))[0] is not None:  # a library parses too
            for listener in self.listeners:
                listener(what, values)
        self.add(kind, what, values)

    def add(self, kind, what, value):
        import json

        file, line = place(sys._getframe(2))
        if file is None and kind == "seed":
            return  # a library's own stream
        text = json.dumps({"kind": kind, "of": what, "value": plain(value), "at": "%s:%d" % (file, line) if file else ""})
        if text in self.seen:
            return
        self.seen.add(text)
        self.entries += 1
        if self.fd is None:
            self.fd = os.open(os.path.join(self.directory, "settings-%d.tvr" % self.pid), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(self.fd, text.encode("utf-8", "replace") + b"\n")


def place(frame):
    """The trainer's line, past libraries and what comes with Python."""
    own = os.path.dirname(os.__file__)
    while frame is not None:
        name = frame.f_code.co_filename
        if not caller.of_library(frame.f_globals.get("__name__") or "") and (not name.startswith(own) or "site-packages" in name) and name[:1] != "<":
            return name, frame.f_lineno
        frame = frame.f_back
    return None, 0


def plain(value, depth=3):
    """Numbers, texts and tables of them; of what may be secret the name alone."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return value[:512]
    if depth and isinstance(value, dict):
        return {str(k)[:128]: "(not recorded)" if secret(k) else plain(v, depth - 1) for k, v in list(value.items())[:256]}
    if depth and isinstance(value, (list, tuple)):
        return [plain(v, depth - 1) for v in value[:64]]
    return "(%s)" % type(value).__name__


def secret(name):
    words = str(name).lower().replace("-", "_").split("_")
    return any(w.startswith(SECRET) for w in words) and not str(name).lower().startswith(("max_", "num_", "tokenizer"))
