import torch
from safetensors.torch import load_file


def discarded(model, path):
    model.load_state_dict(torch.load(path), strict=False)  # want "nobody reads which keys were missing.*random weights in model"


def of_a_part(model, args):
    state = torch.load(args.path, map_location="cpu")
    model.load_state_dict(state["model"], strict=False)  # want "strict=False"


def two_names(self, path):
    checkpoint = torch.load(path)
    weights = checkpoint["state_dict"]
    self.net.load_state_dict(weights, False)  # want "random weights in self.net"


def never_read(model, path):
    result = model.load_state_dict(load_file(path), strict=False)  # want "strict=False"
    return model


def thrown_away(model, path):
    _, _ = model.load_state_dict(torch.load(path), strict=False)  # want "strict=False"


def renamed(model, path):
    sd = {k.replace("module.", ""): v for k, v in torch.load(path).items()}
    model.load_state_dict(sd, strict=False)  # want "strict=False"


def averaged(model, average_checkpoints, files):
    model.load_state_dict(  # want "strict=False"
        average_checkpoints(files), strict=False
    )


def printed(model, path):
    msg = model.load_state_dict(torch.load(path), strict=False)  # ok: printed
    print(msg)


def checked(model, path):
    missing, unexpected = model.load_state_dict(torch.load(path), strict=False)  # ok: checked
    if missing or unexpected:
        raise ValueError(missing, unexpected)


def returned(model, path):
    return model.load_state_dict(torch.load(path), strict=False)  # ok: whoever calls this sees it


def compared(model, path):
    sd = torch.load(path)
    missing = set(model.state_dict()) - set(sd)
    model.load_state_dict(sd, strict=False)  # ok: looked at above
    print("not in the checkpoint", missing)


def strict(model, path):
    model.load_state_dict(torch.load(path))  # ok: strict by itself


def strict_said(model, path, strict):
    model.load_state_dict(torch.load(path), strict=strict)  # ok: as asked


def copied(student, teacher):
    student.load_state_dict(teacher.state_dict(), strict=False)  # ok: of a model of this program


def copied_by_name(student, teacher):
    sd = teacher.state_dict()
    student.load_state_dict(sd, strict=False)  # ok: of a model of this program


def lora(model, path):
    lora_weights = torch.load(path)
    model.load_state_dict(lora_weights, strict=False)  # ok: an adapter is a part by design


def adapters(model, path):
    # the adapter is not in the file
    model.load_state_dict(torch.load(path), strict=False)  # ok: said above


def written_out(model, state):
    weights = {"embedding.weight": state["prompt"]}
    model.load_state_dict(weights, strict=False)  # ok: a part that is written out


def value_head(model, path):
    head_weights = torch.load(path)
    model.load_state_dict(head_weights, strict=False)  # ok: a head by design


def handed_in(model, tensors):
    model.load_state_dict(tensors, strict=False)  # ok: where it comes from is not seen


def keys_checked(model, path, check_keys):
    weights = torch.load(path)
    check_keys(model, weights)
    model.load_state_dict(weights, strict=False)  # ok: compared above


def explained(model, path):
    # strict=False: the decoder is made anew
    model.load_state_dict(torch.load(path), strict=False)  # ok: whoever wrote it knew


def on_one_line(model, path):
    if path: model.load_state_dict(torch.load(path), strict=False)  # want "strict=False"
