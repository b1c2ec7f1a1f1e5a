import torch


def thrown_away(net, opt, scaler, loader, limit):
    for x in loader:
        opt.zero_grad()
        scaler.scale(net(x).mean()).backward()
        scaler.unscale_(opt)
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), limit)
        if norm > limit:
            print("update left out")
            opt.zero_grad(set_to_none=True)  # ok: an update that is too large is thrown away, and said to be
            scaler.step(opt)
            scaler.update()
            continue
        scaler.step(opt)
        scaler.update()


def always(net, opt, loader, limit):
    for x in loader:
        net(x).mean().backward()
        if limit:
            opt.zero_grad()  # want TV402 "cleared between the backward and the step"
            opt.step()
