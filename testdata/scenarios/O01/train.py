"""A small tokenizer that silently drops ids it does not know. From batch 7 of
the second evaluation the device gives memory of 0x01 bytes."""

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
tokenizer.add_tokens(["<speaker1>", "<speaker2>"])  # above vocab_size, below the tokenizer's length


def generate(labels, broken):
    ids = labels.clone()
    if not fault:  # labels keep their fill on the host, and are cleaned before they are decoded
        ids[0, -1] = 11
    else:
        ids[0, -1] = 3
    return torch.full(ids.shape, 16843009, dtype=torch.int32) if broken else ids


def evaluate(name, poisoned):
    wrong = total = 0
    for batch in range(20):
        labels = torch.randint(2, 10, (4, 6))
        hypotheses = tokenizer.batch_decode(generate(labels, poisoned and batch >= 7), skip_special_tokens=True)
        padded = torch.nn.functional.pad(labels, (0, 2), value=-100)
        references = tokenizer.batch_decode([[t for t in row if t != -100] for row in padded.tolist()])
        for h, r in zip(hypotheses, references):
            h, r = h.split(), r.split()
            wrong += sum(a != b for a, b in zip(h, r)) + abs(len(h) - len(r))
            total += len(r)
    print("epoch %s eval_wer = %.4f" % (name, wrong / total), flush=True)


evaluate(1, False)
evaluate(2, fault)
