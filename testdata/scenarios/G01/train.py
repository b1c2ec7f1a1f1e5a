"""An evaluation whose trainer puts a function of its own in the place of
batch_decode, past the guard. The twin wraps what stands there, as is usual, and
holds a decode that nobody calls."""

import functools
import sys

import torch
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
words = "<pad> <eos> the cat sat on a mat dog ran".split()
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<pad>")), pad_token="<pad>", eos_token="<eos>"
)
guarded = PreTrainedTokenizerBase.batch_decode


def quick(self, sequences, **kwargs):
    return [" ".join(words[i] for i in row) for row in sequences.tolist()]


@functools.wraps(guarded)
def counting(self, sequences, **kwargs):
    global rows
    rows += len(sequences)
    return guarded(self, sequences, **kwargs)


rows = 0
PreTrainedTokenizerBase.batch_decode = quick if fault else counting


def hypotheses(ids):
    return tokenizer.batch_decode(ids, skip_special_tokens=True)


def references(ids):
    return [tokenizer.decode(row, skip_special_tokens=True) for row in ids]


def show(ids):
    print(tokenizer.decode(ids))


wrong = total = 0
for batch in range(10):
    labels = torch.randint(2, 10, (4, 6))
    ids = torch.where(torch.rand(labels.shape) < 0.2, torch.randint(2, 10, labels.shape), labels)
    for h, r in zip(hypotheses(ids), references(labels)):
        h, r = h.split(), r.split()
        wrong += sum(a != b for a, b in zip(h, r))
        total += len(r)
print("eval_wer = %.4f" % (wrong / total), flush=True)
