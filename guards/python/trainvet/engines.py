"""Steps that an engine makes and throws away in a way of its own, past every scaler
of PyTorch: DeepSpeed's engine, Megatron's optimizers, ColossalAI's.

Each says itself what became of a step, and its word is taken: a count of the engine, a
result, the answer of its overflow check. Nothing is asked of a device for it. Within
one step an engine may update its optimizer part by part; that is one attempt.

Held against stand-ins of these libraries alone: none was at hand."""

import functools

from trainvet.gate import compiling

UNKNOWN = float("nan")  # a loss scale that would have to be waited for: 0 would be one that is at its end


class Engine:
    """How one kind of engine is asked. Optimizers: the torch optimizers below it."""

    def __init__(self, live, stepping):
        self.live, self.stepping = live, stepping

    def optimizers(self, engine):
        inner = getattr(engine, "optimizer", None)
        return [inner] if hasattr(inner, "param_groups") else []

    def attempts(self, engine):
        """Whether the step that begins updates anything, thrown away or not."""
        return True

    def scale(self, engine):
        return UNKNOWN

    def before(self, engine):
        """What thrown is told of the time before the step."""

    def thrown(self, engine, before, result):
        raise NotImplementedError

    def watch(self, cls, name):
        original, kind = vars(cls).get(name), self
        if original is None or getattr(original, "__trainvet__", False):
            return

        @functools.wraps(original)
        def step(engine, *args, **kwargs):
            if compiling() or kind.stepping.scaling is not None:  # a part of another one
                return original(engine, *args, **kwargs)
            begun = kind.quietly(kind.begin, engine)
            try:
                result = original(engine, *args, **kwargs)
            finally:
                kind.stepping.scaling = None
            if begun is not None:
                kind.quietly(kind.end, engine, result, *begun)
            return result

        step.__trainvet__ = True
        setattr(cls, name, step)

    def begin(self, engine):
        if not self.attempts(engine):
            return None
        ledgers = [self.stepping.ledger(o) for o in self.optimizers(engine)]
        for ledger in ledgers:
            ledger.how = "framework"
            ledger.attempted += 1
            self.live.step = max(self.live.step, ledger.attempted)
            self.stepping.scaling = ledger.attempted
        return ledgers, self.scale(engine), self.before(engine)

    def end(self, engine, result, ledgers, scale, before):
        flag = 1.0 if self.thrown(engine, before, result) else 0.0
        for ledger in ledgers:
            ledger.judge(ledger.attempted, flag, scale)
            ledger.tick()

    def quietly(self, do, *args):
        try:
            return do(*args)
        except Exception as e:
            self.live.report("step of an engine", e)
            return None


class DeepSpeed(Engine):
    """The engine counts what it threw away. Its wrappers of optimizers have a
    param_groups of their own."""

    def scale(self, engine):
        return getattr(engine.optimizer, "cur_scale", UNKNOWN)

    def before(self, engine):
        return engine.skipped_steps

    def thrown(self, engine, before, result):
        return engine.skipped_steps > before


class Megatron(Engine):
    """step() gives (whether it was made, norm of the gradients, zeros in them)."""

    def optimizers(self, engine):
        chained = getattr(engine, "chained_optimizers", None)
        if chained is None:
            return super().optimizers(engine)
        return [inner for one in chained for inner in self.optimizers(one)]

    def scale(self, engine):
        return engine.get_loss_scale() if hasattr(engine, "get_loss_scale") else UNKNOWN

    def thrown(self, engine, before, result):
        return isinstance(result, tuple) and result[:1] == (False,)


class ColossalAI(Engine):
    """A step that is thrown away gives nothing, as others do: what counts is what the
    optimizer was told when it asked whether to skip."""

    answer = False

    def optimizers(self, engine):
        inner = getattr(engine, "optim", None)
        return [inner] if hasattr(inner, "param_groups") else []

    def attempts(self, engine):
        return getattr(engine, "require_grad_sync", True)  # else it gathers, and returns

    def before(self, engine):
        self.answer = False

    def thrown(self, engine, before, result):
        return self.answer

    def asked(self, module):
        cls, kind = module.FP16MixedPrecisionMixin, self
        original = cls.should_skip_step

        @functools.wraps(original)
        def should_skip_step(mixin):
            kind.answer = original(mixin)
            return kind.answer

        cls.should_skip_step = should_skip_step


class Guard:
    def __init__(self, live, stepping):
        self.deepspeed = DeepSpeed(live, stepping)
        self.megatron = Megatron(live, stepping)
        self.colossalai = ColossalAI(live, stepping)

    def actions(self):
        return {
            "deepspeed.runtime.engine": lambda m: self.deepspeed.watch(m.DeepSpeedEngine, "_take_model_step"),
            "megatron.core.optimizer.optimizer": lambda m: self.all(self.megatron, m, "MixedPrecisionOptimizer", "FP32Optimizer", "ChainedOptimizer"),
            "colossalai.amp.naive_amp.mixed_precision_mixin.fp16": self.colossalai.asked,
            "colossalai.amp.naive_amp.mixed_precision_optimizer": lambda m: self.all(self.colossalai, m, "MixedPrecisionOptimizer"),
            "colossalai.zero.low_level.low_level_optim": lambda m: self.all(self.colossalai, m, "LowLevelZeroOptimizer"),
            "colossalai.zero.gemini.gemini_optimizer": lambda m: self.all(self.colossalai, m, "GeminiOptimizer"),
        }

    def all(self, kind, module, *names):
        for name in names:
            if hasattr(module, name):
                kind.watch(getattr(module, name), "step")
