from torch.cuda.amp import GradScaler
from torch.nn.utils import clip_grad_norm_


# A list of optimizers is not empty: all of them are unscaled.
def several(scaler, model, heads, optimizers, loss, limit):
    scaler.scale(loss).backward()
    if limit is not None:
        for optimizer in optimizers:
            scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), limit)  # ok: each optimizer was unscaled in the loop
        clip_grad_norm_(heads.parameters(), limit)  # ok: each optimizer was unscaled in the loop
    for optimizer in optimizers:
        scaler.step(optimizer)
    scaler.update()


def one_of_several(scaler, model, optimizers, loss, wanted):
    scaler.scale(loss).backward()
    for name in wanted:
        scaler.unscale_(optimizers[0])
    clip_grad_norm_(model.parameters(), 1.0)  # want TV303 "still scaled"
    for optimizer in optimizers:
        scaler.step(optimizer)
    scaler.update()
