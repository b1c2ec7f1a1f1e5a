"""What a call was asked for against what it gave: tokens that generate made beyond
its limit, prompts that are padded on the side where a decoder goes on.

The outermost generate of a model counts, also where a class has one of its own:
what a trainer asked for is what it handed to that."""

import functools
import sys

from trainvet import gate


class Guard:
    def __init__(self, live):
        self.live = live

    def actions(self):
        return {"transformers.generation.utils": self.mixin}

    def mixin(self, module):
        cls, guard = module.GenerationMixin, self
        self.wrap(cls)
        below = cls.__dict__.get("__init_subclass__")

        def __init_subclass__(sub, **kwargs):
            if below is not None:
                below.__get__(None, sub)(**kwargs)
            else:
                super(cls, sub).__init_subclass__(**kwargs)
            guard.wrap(sub)

        cls.__init_subclass__ = classmethod(__init_subclass__)

    def wrap(self, cls):
        original, guard = cls.__dict__.get("generate"), self
        if not callable(original) or getattr(original, "__trainvet__", False):
            return

        @functools.wraps(original)
        def generate(model, *args, **kwargs):
            outer = not getattr(guard.live.local, "generating", False)
            guard.live.local.generating = True
            try:
                out = original(model, *args, **kwargs)
            finally:
                if outer:
                    guard.live.local.generating = False
            if outer and not gate.unreadable():
                try:
                    guard.generated(model, out, args, kwargs)
                except Exception as e:
                    guard.live.report("generate", e)
            return out

        generate.__trainvet__ = True
        cls.generate = generate

    def generated(self, model, out, args, kwargs):
        torch = sys.modules["torch"]
        ids = getattr(out, "sequences", out)
        prompt = args[0] if args else next((kwargs[k] for k in ("inputs", "input_ids") if kwargs.get(k) is not None), None)
        decoder = not getattr(model.config, "is_encoder_decoder", False)
        if decoder and isinstance(prompt, torch.Tensor) and prompt.ndim == 2:
            self.padding(model, kwargs.get("attention_mask"))
        limit = asked(kwargs, "max_new_tokens")
        if not isinstance(limit, int) or not isinstance(ids, torch.Tensor) or ids.ndim != 2 or kwargs.get("prompt_lookup_num_tokens"):
            return
        made = new_tokens(ids, prompt if decoder else kwargs.get("decoder_input_ids"), kwargs, decoder)
        if made > limit:
            self.live.finding("generated-more", "degrade", "%s.generate was asked for %d new tokens at most and made %d" % (type(model).__name__, limit, made),
                              since=max(self.live.step, 0), name=type(model).__name__, once=type(model).__name__)

    def padding(self, model, mask):
        """A decoder goes on behind the last column: there has to be a token."""
        if mask is None or not gate.plain(mask) or mask.ndim != 2 or mask.shape[0] < 2:
            return
        ends = int((mask[:, -1] == 0).sum())
        if ends:
            self.live.finding("padded-right", "degrade", "%s.generate goes on behind padding: %d of %d prompts end with it (padding_side is right, where a decoder needs left)" % (type(model).__name__, ends, mask.shape[0]),
                              since=max(self.live.step, 0), name=type(model).__name__, once=type(model).__name__)


def asked(kwargs, name):
    value = kwargs.get(name)
    return value if value is not None else getattr(kwargs.get("generation_config"), name, None)


def new_tokens(ids, prompt, kwargs, decoder):
    """Those behind the prompt, or behind what is left of it; a start token is none."""
    length = ids.shape[1]
    if prompt is None or not gate.plain(prompt) or prompt.ndim != 2:
        return length if decoder else length - 1
    n = prompt.shape[1]
    if length > n and len(ids) % len(prompt) == 0:
        beside = ids[:: len(ids) // len(prompt)][: len(prompt)]
        rows, heads = prompt[:1].tolist()[0], beside[:1].tolist()[0]
        if rows == heads[:n]:
            return length - n
        for k in range(n - 1, 0, -1):
            if rows[n - k :] == heads[:k]:
                return length - k
        return length - n if not decoder else length
    return max(length - n, 0)
