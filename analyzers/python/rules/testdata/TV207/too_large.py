import torch


def thrown_away(net, opt, scaler, loader, limit):
    for x in loader:
        opt.zero_grad()
        scaler.scale(net(x).mean()).backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), limit)
        if torch.isfinite(norm) and norm > limit:  # ok: what is not finite goes on to the step below
            scaler.step(opt)
            scaler.update()
            break
        scaler.step(opt)
        scaler.update()


def only_finite(net, opt, loader, limit):
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), limit)
        if torch.isfinite(norm):  # want TV207 "neither counted nor told"
            opt.step()
