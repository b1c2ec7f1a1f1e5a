"""Two optimizers and one scaler, as torch's own notes have it."""

import torch
from torch.amp import GradScaler, autocast


def train(generator, discriminator, g_opt, d_opt, loader, loss_of):
    scaler = GradScaler("cuda")
    skipped = 0
    for real in loader:
        d_opt.zero_grad(set_to_none=True)
        with autocast("cuda"):
            fake = generator(torch.randn_like(real))
            d_loss = loss_of(discriminator(real), 1) + loss_of(discriminator(fake.detach()), 0)
        scaler.scale(d_loss).backward()
        scaler.step(d_opt)

        g_opt.zero_grad(set_to_none=True)
        with autocast("cuda"):
            g_loss = loss_of(discriminator(fake), 1)
        scaler.scale(g_loss).backward()
        scaler.unscale_(g_opt)
        torch.nn.utils.clip_grad_norm_(generator.parameters(), 1.0)
        scaler.step(g_opt)

        before = scaler.get_scale()
        scaler.update()
        skipped += scaler.get_scale() < before
    print("skipped", skipped)
