import torch
from torch.amp import GradScaler
from transformers import AutoModelForCausalLM


def loaded(loader, device):
    model = AutoModelForCausalLM.from_pretrained("base", torch_dtype=torch.float16).to(device)  # want TV316 "these weights are float16"
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    scaler = GradScaler("cuda")
    for x in loader:
        scaler.scale(model(**x).loss).backward()
        scaler.step(optimizer)
        scaler.update()


def loaded_new_name(loader):
    llm = AutoModelForCausalLM.from_pretrained("base", dtype="float16")  # want TV316 "these weights are float16"
    optimizer = torch.optim.AdamW(llm.parameters(), lr=1e-5)
    scaler = GradScaler("cuda")
    scaler.step(optimizer)


def loaded_full(loader):
    full = AutoModelForCausalLM.from_pretrained("base", torch_dtype=torch.float32)  # ok: full precision
    optimizer = torch.optim.AdamW(full.parameters(), lr=1e-5)
    scaler = GradScaler("cuda")
    scaler.step(optimizer)


def cast_back(loader):
    back = AutoModelForCausalLM.from_pretrained("base", torch_dtype=torch.float16)  # ok: cast back before it trains
    back = back.float()
    optimizer = torch.optim.AdamW(back.parameters(), lr=1e-5)
    scaler = GradScaler("cuda")
    scaler.step(optimizer)


def only_the_head(head, loader):
    body = AutoModelForCausalLM.from_pretrained("base", torch_dtype=torch.float16)  # ok: another one is trained
    optimizer = torch.optim.AdamW(head.parameters(), lr=1e-5)
    scaler = GradScaler("cuda")
    scaler.scale(head(body(loader))).backward()
    scaler.step(optimizer)
