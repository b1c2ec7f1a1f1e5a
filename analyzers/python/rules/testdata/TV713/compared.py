import torch


def told(path, model):
    weights = renamed(torch.load(path))
    own = model.state_dict().keys()
    for key in weights.keys():
        if key not in own:
            print("not of the model: ", key)
    model.load_state_dict(weights, strict=False)  # ok: the names were held against the model's, and it says so
    return model


def sorted_out(self, model, ckpt_weights, logger):
    state = model.state_dict()
    mine, theirs = set(state.keys()), set(ckpt_weights.keys())
    diff = {"missed": mine - theirs, "redundant": theirs - mine}
    model.load_state_dict(ckpt_weights, strict=False)  # ok: the difference is logged
    for name, keys in diff.items():
        logger.info(f"{name}: {keys}")


def dropped(path, model):
    weights = torch.load(path)
    own = model.state_dict()
    kept = {k: v for k, v in weights.items() if k in own}
    model.load_state_dict(kept, strict=False)  # want `nobody reads which keys were missing`


def of_another(path, model, teacher):
    weights = torch.load(path)
    own = teacher.state_dict()
    for key in weights:
        if key not in own:
            print(key)
    model.load_state_dict(weights, strict=False)  # want `nobody reads which keys were missing`


def of_the_file(path, model):
    weights = torch.load(path)
    if "model" in weights:
        print("a whole checkpoint")
        weights = weights["model"]
    print(len(model.state_dict()))
    model.load_state_dict(weights, strict=False)  # want `nobody reads which keys were missing`


class LPIPS(torch.nn.Module):
    def read(self, name):
        self.load_state_dict(torch.load(weights_of(name, "lpips")), strict=False)  # ok: the rest comes of torchvision
