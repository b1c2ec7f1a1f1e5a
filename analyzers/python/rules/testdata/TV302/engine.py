# A framework is imported, and the scaler is the file's own: Azure/MS-AMP#45.
import msamp
import torch


def train(model, device, loader, optimizer):
    scaler = torch.cuda.amp.GradScaler()
    for data, target in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = model(data.to(device), target)
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # want TV302 "scaler is never updated"


def prepared(model, loader, optimizer):
    model, optimizer = msamp.initialize(model, optimizer, opt_level="O2")
    scaler = optimizer.scaler
    for data in loader:
        scaler.scale(model(data)).backward()
        scaler.step(optimizer)  # ok: the framework's own


def handed(model, loader, optimizer):
    amp = torch.cuda.amp.GradScaler()
    model, optimizer = msamp.initialize(model, optimizer, amp)
    for data in loader:
        amp.scale(model(data)).backward()
        amp.step(optimizer)  # ok: the framework has it, and may update it
