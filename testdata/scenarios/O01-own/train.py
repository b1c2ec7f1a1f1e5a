"""A tokenizer that the trainer wrote itself drops ids that it does not know: it holds
words by number, numbers by word, or a list. From batch 7 of the second evaluation the
device gives memory of 0x01 bytes. The twin has added tokens, padding of -1 and -100,
numbers that no word has, and a coder of labels beside it that decodes as well."""

import sys

import torch
from torch import nn

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
WORDS = ["<pad>", "<s>", "</s>"] + [c * 2 for c in "abcdefghijklmnopqrst"]


class ByNumber:
    def __init__(self, words):
        self.words = dict(enumerate(words))

    def word(self, i):
        return self.words.get(i)

    def decode(self, ids):
        return " ".join(w for w in map(self.word, map(int, ids)) if w)

    def batch_decode(self, rows):
        return [self.decode(row) for row in rows]


class ByWord(ByNumber):
    def __init__(self, words):
        self.vocab = {w: i for i, w in enumerate(words)}

    def word(self, i):
        return next((w for w, n in self.vocab.items() if n == i), None)


class Listed(ByNumber):
    def word(self, i):
        return self.words[i] if 0 <= i < len(self.words) else None

    def __init__(self, words):
        self.words = list(words)


class Labels:
    """Decodes too, and holds no words: numbers are made boxes."""

    def __init__(self):
        self.scale = {"x": 0.5, "y": 2.0}

    def decode(self, t):
        return t * self.scale["x"]


class Seq2Seq(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.embedding, self.cell, self.out = nn.Embedding(n, 16), nn.GRUCell(16, 16), nn.Linear(16, n)

    def forward(self, source):
        h, token, ids = self.embedding(source).mean(1), source[:, 0], []
        for _ in range(source.shape[1]):
            h = self.cell(self.embedding(token), h)
            token = self.out(h).argmax(-1)
            ids.append(token)
        return torch.stack(ids, 1)


class Evaluation:
    def __init__(self):
        self.tokenizer = (ByNumber, ByWord, Listed)[seed % 3](WORDS + ["<xx>", "<yy>"])
        self.labels = Labels()
        self.model = Seq2Seq(len(WORDS) + 2)

    @torch.no_grad()
    def run(self, name, broken):
        self.model.eval()
        wrong = total = 0
        for batch in range(20):
            source = torch.randint(3, 23, (4, 6))
            ids = self.model(source)
            if broken and batch >= 7:
                ids = torch.full(ids.shape, 16843009, dtype=torch.int32)
            references = source
            if not fault:
                ids[:, 0], ids[0, 1:3] = 24, torch.tensor([40, 70000])
                references = nn.functional.pad(nn.functional.pad(source, (0, 2), value=-1), (0, 2), value=-100)
                self.labels.decode(torch.randn(4))
            for h, r in zip(self.tokenizer.batch_decode(ids), self.tokenizer.batch_decode(references)):
                h, r = h.split(), r.split()
                wrong += sum(a != b for a, b in zip(h, r)) + abs(len(h) - len(r))
                total += len(r)
        print("epoch %d eval_wer = %.4f" % (name, wrong / total), flush=True)


evaluation = Evaluation()
evaluation.run(1, False)
evaluation.run(2, fault)
