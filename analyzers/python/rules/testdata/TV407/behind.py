import torch
from torch import nn
from torch.optim import AdamW


def tokens(model, tokenizer):
    optimizer = AdamW(model.parameters(), lr=1e-4)
    model.resize_token_embeddings(len(tokenizer))  # want TV407 "not trained"
    return optimizer


def head(model, classes):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.fc = nn.Linear(512, classes)  # want TV407 "new parameters"
    return optimizer


def adapters(model, config, get_peft_model):
    optimizer = AdamW(model.parameters())
    model = get_peft_model(model, config)  # want TV407 "made before"
    return model, optimizer


def healthy(model, tokenizer):
    model.resize_token_embeddings(len(tokenizer))  # ok: before
    return AdamW(model.parameters())


def again(model, classes):
    optimizer = AdamW(model.parameters())
    model.fc = nn.Linear(512, classes)  # ok: the optimizer is made again
    optimizer = AdamW(model.parameters())
    return optimizer


def other(model, teacher, classes):
    optimizer = AdamW(model.parameters())
    teacher.fc = nn.Linear(512, classes)  # ok: another model
    return optimizer
