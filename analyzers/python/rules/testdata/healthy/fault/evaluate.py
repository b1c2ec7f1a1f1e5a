"""An evaluation that guards its ids, lets faults pass and asks how its children end."""

import json
import logging
import subprocess
import sys

import torch
import trainvet
from transformers import AutoTokenizer

log = logging.getLogger(__name__)
tokenizer = AutoTokenizer.from_pretrained("model")


def transcribe(model, batch):
    with torch.inference_mode():
        ids = model.generate(**batch)
    ids = trainvet.check_ids(ids, tokenizer)
    return tokenizer.batch_decode(ids, skip_special_tokens=True)


def evaluate(model, loader):
    model.eval()
    rows, failed = [], 0
    for batch in loader:
        try:
            rows += transcribe(model, batch)
        except trainvet.Fault:
            raise
        except (OSError, ValueError) as e:
            failed += 1
            log.warning("a batch is left out: %s", e)
    if not rows:
        raise RuntimeError("nothing was evaluated")
    with open("rows.json", "w") as f:
        json.dump({"rows": rows, "failed": failed}, f)
    return rows


def quiet(path):
    try:
        with open(path) as f:
            return json.load(f)
    except Exception:
        return {}


def prompt(text):
    ids = tokenizer(text).input_ids
    return tokenizer.decode(ids)


def main():
    done = subprocess.run(["torchrun", "--nproc_per_node=2", "train.py"])
    if done.returncode != 0:
        sys.exit(done.returncode)
    subprocess.run([sys.executable, "train.py", "--resume"], check=True)
