"""Compares forward and every gradient with float64 on the CPU."""

import parity_ops
from compare import Judgement
from places import exact_maths, generator, place, wait
from worker import Skip


def checks(request, user):
    import torch

    exact_maths(torch)
    device = place(torch, request["device"])
    out = []
    for op in parity_ops.OPS:
        out.append(("parity-" + op["name"], lambda op=op: sizes(torch, device, op)))
    if user is not None and hasattr(user, "ops"):
        for op in user.ops(torch):
            out.append(("user-" + op["name"], lambda op=op: of_user(torch, device, op)))
    return out


def sizes(torch, device, op):
    """Runs an operator at each of its sizes, upward."""
    if op.get("needs"):
        parity_ops.need(op["needs"])
    if op.get("whole"):
        return op["whole"](torch, device)
    judge = Judgement()
    for size in op["sizes"]:
        for dtype in op.get("dtypes", ("float32",)):
            inputs, call = op["build"](torch, generator(torch, 3), size)
            got = compute(torch, call, inputs, device, getattr(torch, dtype))
            want = compute(torch, op.get("reference", call), inputs, torch.device("cpu"), torch.float64, like=dtype)
            label = op["label"] % size if "label" in op else "size %s" % (size,)
            compare(judge, got, want, dtype, label)
    return judge.result()


def compare(judge, got, want, dtype, label):
    for i, (a, b) in enumerate(zip(got["out"], want["out"])):
        name = "output" if len(want["out"]) == 1 else "output %d" % i
        if b.is_floating_point():
            judge.tensor("%s at %s" % (name, label), a, b, dtype)
        else:
            judge.exact("%s at %s" % (name, label), a, b)
    for name, b in want["grad"].items():
        a = got["grad"].get(name)
        if a is None:
            judge.faults.append("gradient of %s at %s is not there" % (name, label))
            continue
        judge.tensor("gradient of %s at %s" % (name, label), a, b, dtype)


def compute(torch, call, inputs, device, dtype, like=None):
    """Calls on a device in a dtype, and goes back through it.

    The reference starts from inputs that were rounded as the device's were.
    """
    placed = {}
    for name, value in inputs.items():
        if torch.is_tensor(value):
            keep = name.startswith("_")
            if value.is_floating_point():
                value = value.to(getattr(torch, like) if like else dtype)
                value = value.to(dtype)
            value = value.to(device).detach().clone()
            if value.is_floating_point() and not keep:
                value.requires_grad_(True)
        placed[name.lstrip("_")] = value
    out = call(**placed)
    outs = list(out) if isinstance(out, (tuple, list)) else [out]
    loss = None
    for i, o in enumerate(outs):
        if torch.is_tensor(o) and o.is_floating_point() and o.requires_grad:
            w = torch.randn(o.shape, generator=generator(torch, 100 + i), dtype=torch.float64)
            if like or dtype != torch.float64:
                w = w.to(getattr(torch, like) if like else dtype)
            part = (o * w.to(o.dtype).to(device)).sum()
            loss = part if loss is None else loss + part
    if loss is not None:
        loss.backward()
    wait(torch, device)
    grads = {}
    for name, value in placed.items():
        if torch.is_tensor(value) and value.requires_grad and value.is_leaf and value.grad is not None:
            grads[name] = value.grad
    return {"out": [o.detach() for o in outs if torch.is_tensor(o)], "grad": grads}


def of_user(torch, device, op):
    """An operator of the user's file: candidate on the device, reference on the CPU.

    inputs is called with a size and gives a dictionary of tensors; names that
    begin with _ get no gradient.
    """
    if "candidate" not in op or "inputs" not in op:
        raise Skip("an operator needs name, candidate and inputs")
    judge = Judgement()
    factors = []
    dtype = op.get("dtype", "float32")
    for size in op.get("sizes", (1,)):
        inputs = op["inputs"](size)
        part = Judgement()
        got = compute(torch, op["candidate"], inputs, device, getattr(torch, dtype))
        want = compute(torch, op.get("reference", op["candidate"]), inputs, torch.device("cpu"), torch.float64, like=dtype)
        compare(part, got, want, dtype, "size %s" % size)
        judge.faults += part.faults
        judge.compared += part.compared
        judge.worst = max(judge.worst, part.worst)
        if abs(part.inflation - 1) > abs(judge.inflation - 1):
            judge.inflation = part.inflation
        factors.append(part.inflation)
    ok, text, numbers = judge.result()
    numbers["inflation_by_size"] = factors
    return ok, text, numbers
