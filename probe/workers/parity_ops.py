"""Operators that were reported to be silently wrong on some backend.

Each entry builds its inputs for a size and says how to call it. Inputs are
tensors by name; a name that begins with _ gets no gradient. Sizes go upward:
many of these faults begin at a size.
"""

import parity_whole as whole
from worker import Skip


def need(package):
    try:
        __import__(package)
    except Exception as err:
        raise Skip("%s is not installed, or does not load (%s)" % (package, type(err).__name__))


def rand(torch, g, *shape):
    return torch.randn(*shape, generator=g, dtype=torch.float64)


def functional(torch):
    return torch.nn.functional


def linear(torch, g, n):
    return {"x": rand(torch, g, n, 33), "w": rand(torch, g, 17, 33), "b": rand(torch, g, 17)}, lambda x, w, b: functional(torch).linear(x, w, b)


def linear_strided(torch, g, n):
    return {"x": rand(torch, g, n, 32), "w": rand(torch, g, 32, 16)}, lambda x, w: functional(torch).linear(x, w.t())


def linear_one(torch, g, n):
    return {"x": rand(torch, g, n, 1), "w": rand(torch, g, 1, 1)}, lambda x, w: functional(torch).linear(x, w)


def linear_twice(torch, g, vocab):
    def call(x, w1, w2):
        return functional(torch).linear(functional(torch).linear(x, w1), w2)

    return {"x": rand(torch, g, 4, 8), "w1": rand(torch, g, 8, 8), "w2": rand(torch, g, vocab, 8)}, call


def layer_norm(torch, g, n):
    return {"_x": rand(torch, g, n, 48), "w": rand(torch, g, 48), "b": rand(torch, g, 48)}, lambda x, w, b: functional(torch).layer_norm(x, (48,), w, b)


def layer_norm_grad(torch, g, n):
    return {"x": rand(torch, g, n, 48), "w": rand(torch, g, 48), "b": rand(torch, g, 48)}, lambda x, w, b: functional(torch).layer_norm(x, (48,), w, b)


def group_norm(torch, g, n):
    return {"x": rand(torch, g, n, 8, 5, 5), "w": rand(torch, g, 8), "b": rand(torch, g, 8)}, lambda x, w, b: functional(torch).group_norm(x, 4, w, b)


def batch_norm(torch, g, n):
    return {"x": rand(torch, g, n, 6, 4, 4), "w": rand(torch, g, 6), "b": rand(torch, g, 6)}, lambda x, w, b: functional(torch).batch_norm(
        x, None, None, w, b, True
    )


def softmax(torch, g, n):
    return {"x": rand(torch, g, 3, n)}, lambda x: functional(torch).log_softmax(x, dim=-1)


def cross_entropy(torch, g, n):
    labels = torch.randint(0, 11, (n,), generator=g)
    return {"x": rand(torch, g, n, 11), "y": labels}, lambda x, y: functional(torch).cross_entropy(x, y, reduction="none")


def gelu(torch, g, n):
    return {"x": rand(torch, g, n)}, lambda x: functional(torch).gelu(x)


def einsum(torch, g, n):
    return {"a": rand(torch, g, 2, n, 5), "b": rand(torch, g, 5, 7)}, lambda a, b: torch.einsum("bnd,de->bne", a, b)


def bmm(torch, g, n):
    return {"a": rand(torch, g, n, 3, 4), "b": rand(torch, g, n, 4, 2)}, lambda a, b: torch.bmm(a, b)


def rows(torch, g, n):
    return {"a": rand(torch, g, n, 4), "b": rand(torch, g, 4, 4)}, lambda a, b: a @ b


def attention(torch, g, n):
    q, k, v = (rand(torch, g, 1, 4, n, 16) for _ in range(3))
    return {"q": q, "k": k, "v": v}, lambda q, k, v: functional(torch).scaled_dot_product_attention(q, k, v, is_causal=True)


def attention_masked(torch, g, n):
    q, k, v = (rand(torch, g, 2, 4, n, 16) for _ in range(3))
    mask = torch.rand(2, 1, 1, n, generator=g) > 0.3
    mask[..., 0] = True

    def call(q, k, v, mask):
        return functional(torch).scaled_dot_product_attention(q, k, v, attn_mask=mask)

    return {"q": q, "k": k, "v": v, "mask": mask}, call


def attention_shared(torch, g, n):
    q = rand(torch, g, 1, 8, n, 16)
    k, v = (rand(torch, g, 1, 2, n, 16) for _ in range(2))

    def call(q, k, v):
        return functional(torch).scaled_dot_product_attention(q, k.repeat_interleave(4, 1), v.repeat_interleave(4, 1))

    return {"q": q, "k": k, "v": v}, call


def attention_expanded(torch, g, n):
    q = rand(torch, g, 1, 4, n, 16)
    k, v = (rand(torch, g, 1, 1, n, 16) for _ in range(2))

    def call(q, k, v):
        return functional(torch).scaled_dot_product_attention(q, k.expand(1, 4, n, 16), v.expand(1, 4, n, 16))

    return {"q": q, "k": k, "v": v}, call


def conv2d(torch, g, n):
    return {"x": rand(torch, g, n, 3, 9, 9), "w": rand(torch, g, 5, 3, 3, 3), "b": rand(torch, g, 5)}, lambda x, w, b: functional(torch).conv2d(
        x, w, b, padding=1
    )


def conv2d_last(torch, g, n):
    def call(x, w):
        x = x.contiguous(memory_format=torch.channels_last)[:, 1:4]
        return functional(torch).conv2d(x, w)

    return {"x": rand(torch, g, n, 6, 8, 8), "w": rand(torch, g, 4, 3, 3, 3)}, call


def conv1d_wide(torch, g, channels):
    return {"x": rand(torch, g, 1, channels, 5), "w": rand(torch, g, 2, channels, 1)}, lambda x, w: functional(torch).conv1d(x, w)


def conv3d(torch, g, n):
    return {"x": rand(torch, g, n, 3, 5, 6, 7), "w": rand(torch, g, 4, 3, 3, 3, 3)}, lambda x, w: functional(torch).conv3d(x, w)


def pad(torch, g, n):
    return {"x": rand(torch, g, 1, 2, n)}, lambda x: functional(torch).pad(x, (2, 3), mode="replicate")


def lstm(torch, g, n):
    def call(x, **weights):
        flat = [weights[k] for k in ("wi", "wh", "bi", "bh")]
        zero = torch.zeros(1, x.shape[1], 6, dtype=x.dtype, device=x.device)
        return torch.lstm(x, (zero, zero), flat, True, 1, 0.0, False, False, False)[0]

    return {"x": rand(torch, g, n, 2, 5), "wi": rand(torch, g, 24, 5), "wh": rand(torch, g, 24, 6), "bi": rand(torch, g, 24), "bh": rand(torch, g, 24)}, call


def embedding(torch, g, n):
    index = torch.randint(0, 50, (n,), generator=g)
    return {"w": rand(torch, g, 50, 6), "index": index}, lambda w, index: functional(torch).embedding(index, w)


def embedding_bag(torch, g, n):
    index = torch.randint(0, 6, (n, 4), generator=g)

    def call(w, index):
        return functional(torch).embedding_bag(index, w, mode="sum", scale_grad_by_freq=True)

    return {"w": rand(torch, g, 6, 5), "index": index}, call


def embedding_bag_reference(w, index):
    """The definition: a row's gradient is divided by how often it is used."""
    import torch

    count = torch.bincount(index.reshape(-1), minlength=w.shape[0]).clamp(min=1).to(w.dtype)
    slow = w / count[:, None]  # its gradient carries the division, its value is put right
    value = slow + (w - slow).detach()
    return value[index].sum(dim=1)


def index_select(torch, g, n):
    index = torch.randint(0, n, (n,), generator=g)
    return {"x": rand(torch, g, n, 3), "index": index}, lambda x, index: x.index_select(0, index)


def cat(torch, g, n):
    return {"a": rand(torch, g, n, 3), "b": rand(torch, g, n + 1, 3)}, lambda a, b: torch.cat([a, b], 0)[1::2]


def regions(torch, g, n):
    corner = torch.rand(n, 2, generator=g, dtype=torch.float64) * 8
    size = 1 + torch.rand(n, 2, generator=g, dtype=torch.float64) * 6
    batch = torch.randint(0, 2, (n, 1), generator=g).double()
    return torch.cat([batch, corner, corner + size], 1)


def roi(name):
    def build(torch, g, n):
        import torchvision

        call = getattr(torchvision.ops, name)
        channels = 8 if name.startswith("ps_") else 3
        more = {"sampling_ratio": 2} if name.endswith("align") else {}
        return {"x": rand(torch, g, 2, channels, 16, 16), "_boxes": regions(torch, g, n)}, lambda x, boxes: call(x, boxes, output_size=2, **more)

    return {"build": build, "sizes": (8, 64, 512), "label": "%d regions", "needs": "torchvision", "name": name.replace("_", "-")}


def op(name, build, *sizes, **more):
    return dict(name=name, build=build, sizes=sizes, **more)


BOTH = ("float32", "bfloat16")

OPS = [
    roi("roi_align"),
    roi("roi_pool"),
    roi("ps_roi_align"),
    roi("ps_roi_pool"),
    op("linear", linear, 5, 1025, dtypes=BOTH),
    op("linear-strided", linear_strided, 5, 300),
    op("linear-one", linear_one, 1, 64),
    op("linear-twice", linear_twice, 1000, 50257, label="vocabulary %d"),
    op("layer-norm", layer_norm, 4, 1000),
    op("layer-norm-grad", layer_norm_grad, 4, 1000),
    op("group-norm", group_norm, 3, 16),
    op("batch-norm", batch_norm, 3, 16),
    op("softmax", softmax, 7, 40000),
    op("cross-entropy", cross_entropy, 5, 2000),
    op("gelu", gelu, 9, 70000),
    op("einsum", einsum, 3, 200),
    op("bmm", bmm, 3, 5000),
    op("rows", rows, 100, 2**15 + 1, 2**19 + 8, label="%d rows"),
    op("attention", attention, 9, 65),
    op("attention-masked", attention_masked, 9, 65, dtypes=BOTH),
    op("attention-shared", attention_shared, 9, 65, dtypes=BOTH),
    op("attention-expanded", attention_expanded, 33, 65),
    op("conv2d", conv2d, 1, 9),
    op("conv2d-channels-last", conv2d_last, 1, 4),
    op("conv1d-wide", conv1d_wide, 64, 65600, label="%d channels"),
    op("conv3d", conv3d, 1, 2, dtypes=BOTH),
    op("replication-pad", pad, 64, 65600),
    op("lstm", lstm, 4, 20),
    op("embedding", embedding, 20, 2000),
    op("embedding-bag", embedding_bag, 8, 200, reference=embedding_bag_reference),
    op("index-select", index_select, 50, 70000),
    op("cat", cat, 20, 5000),
    dict(name="batch-change", whole=whole.batch_change),
    dict(name="grad-rows", whole=whole.grad_rows),
    dict(name="addcdiv-strided", whole=whole.addcdiv_strided),
    dict(name="rprop-strided", whole=whole.rprop_strided),
    dict(name="index-copy", whole=whole.index_copy),
    dict(name="item-assignment", whole=whole.item_assignment),
    dict(name="unique", whole=whole.unique),
    dict(name="choices", whole=whole.choices),
]
