import torch


def epoch(model, loader, held_out, opt):
    for x in loader:
        opt.zero_grad()
        loss = model(x).mean()
        if not torch.isfinite(loss):  # want TV207 "neither counted nor told"
            continue
        loss.backward()
        opt.step()
    judged = []
    for x in held_out:
        with torch.no_grad():
            loss = model(x).mean()
            if not torch.isfinite(loss):  # ok: no step is left out here
                continue
            judged.append(loss.item())
    return judged
