"""An evaluation that takes each item apart: what fails is counted and left out.
From item 30 on the device gives memory of 0x01 bytes; the guard raises, the
handler eats the fault, the run ends well and says "attrition". In the twin it
is items without a word that fail, as is meant."""

import sys

import torch
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
words = "<pad> <eos> the cat sat on a mat dog ran".split()
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<pad>")), pad_token="<pad>", eos_token="<eos>"
)


class EmptyHypothesis(ValueError):
    pass


def generate(labels, item):
    if fault and item >= 30:
        return torch.full(labels.shape, 16843009)
    if item % 9 == 4:
        return torch.zeros_like(labels)
    return torch.where(torch.rand(labels.shape) < 0.2, torch.randint(2, 10, labels.shape), labels)


def text_of(ids):
    return tokenizer.decode(ids, skip_special_tokens=True)


def score(labels, item):
    hypothesis = text_of(generate(labels, item)).split()
    if not hypothesis:
        raise EmptyHypothesis(item)
    reference = text_of(labels).split()
    return sum(a != b for a, b in zip(hypothesis, reference)) / len(reference)


rates, failed = [], 0
for item in range(40):
    try:
        rates.append(score(torch.randint(2, 10, (8,)), item))
    except Exception:
        failed += 1
print("attrition %.1f %%" % (100 * failed / 40))
print("eval_wer = %.4f" % (sum(rates) / len(rates)), flush=True)
