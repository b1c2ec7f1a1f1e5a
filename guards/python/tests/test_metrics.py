"""Values by a framework's own call: each once, as they were, without waiting."""

import types
import unittest

from trainvet import metrics


class Live:
    def __init__(self):
        self.totals, self.written, self.findings, self.taint = [], [], [], ""
        self.local, self.places = types.SimpleNamespace(), []
        self.out = self

    def write(self, kind, data):
        self.written.append((data["name"], data["value"], data["step"], data["from"], data["n"]))
        self.places.append(data["where"])

    def flush(self):
        pass

    def finding(self, code, *rest, **kwargs):
        self.findings.append(code)

    def report(self, what, error):
        raise error


class Writer:
    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None):
        return tag


class Run:
    def log(self, data, step=None, commit=None):
        Writer().add_scalar("inside", 1.0)


class State:
    global_step, epoch = 7, 0.5


class Trainer:
    state = State()

    def is_world_process_zero(self):
        return True

    def evaluation_loop(self, n):
        return types.SimpleNamespace(num_samples=n, metrics={"eval_loss": 1.0})

    def log(self, logs, start_time=None):
        Run().log(logs)


def line_of(text):
    """The line of this file that holds a text."""
    with open(__file__, encoding="utf-8") as f:
        return next(i for i, line in enumerate(f, 1) if text in line)


class Metrics(unittest.TestCase):
    def setUp(self):
        self.live = Live()
        self.guard = metrics.Guard(self.live)
        self.originals = {cls: dict(vars(cls)) for cls in (Writer, Run, Trainer)}
        actions = self.guard.actions()
        actions["torch.utils.tensorboard.writer"](types.SimpleNamespace(SummaryWriter=Writer))
        actions["wandb.sdk.wandb_run"](types.SimpleNamespace(Run=Run))
        actions["transformers.trainer"](types.SimpleNamespace(Trainer=Trainer))

    def tearDown(self):
        for cls, before in self.originals.items():
            for name in ("add_scalar", "log", "evaluation_loop"):
                if name in before:
                    setattr(cls, name, before[name])

    def test_the_outermost_call_counts(self):
        trainer = Trainer()
        trainer.evaluation_loop(32)
        trainer.log({"eval_loss": 0.25, "epoch": 1.0, "note": "text"})
        self.assertEqual(self.live.written, [("eval_loss", 0.25, 7, "transformers", 32)])
        Writer().add_scalar("val/acc", 0.5, 3)
        Run().log({"loss": 2, "image": object(), "table": None, "ok": True})
        self.assertEqual(self.live.written[1:], [("val/acc", 0.5, 3, "tensorboard", -1), ("loss", 2.0, -1, "wandb", -1)])

    def test_mlflow(self):
        """Not run live: a stand-in of its two calls, the one within the other."""
        fluent = types.SimpleNamespace()

        def log_metric(key, value, step=None, synchronous=None, timestamp=None, run_id=None, model_id=None, dataset=None):
            return key

        def log_metrics(metrics, step=None, synchronous=None, run_id=None, timestamp=None, model_id=None, dataset=None):
            for key, value in metrics.items():
                fluent.log_metric(key, value, step)

        fluent.log_metric, fluent.log_metrics = log_metric, log_metrics
        self.guard.actions()["mlflow.tracking.fluent"](fluent)
        self.assertEqual(fluent.log_metric("loss", 0.5, step=3), "loss")
        fluent.log_metrics({"acc": 0.25, "f1": 1}, 4)
        self.assertEqual(self.live.written, [("loss", 0.5, 3, "mlflow", -1), ("acc", 0.25, 4, "mlflow", -1), ("f1", 1.0, 4, "mlflow", -1)])

    def test_the_line_that_called(self):
        Trainer().log({"eval_loss": 0.25, "eval_acc": 1.5})  # the trainer's line
        for i in range(40):
            Writer().add_scalar("loss", float(i), i)  # the line of a series
        self.guard.write()
        want = ["test_metrics.py:%d" % line_of("# the trainer's " + "line")] * 2 + ["test_metrics.py:%d" % line_of("# the line of a " + "series")] * (len(self.live.places) - 2)
        self.assertEqual(self.live.places, want)

    def test_an_evaluation_of_nothing(self):
        trainer = Trainer()
        trainer.evaluation_loop(0)
        trainer.log({"eval_loss": float("0")})
        self.assertEqual((self.live.findings, self.live.written[0][4]), (["empty-evaluation"], 0))

    def test_a_long_series_is_thinned_and_ends_with_its_last(self):
        w = Writer()
        for i in range(5000):
            self.assertEqual(w.add_scalar("loss", float(i), i), "loss")
        w.add_scalar("loss", float("nan"), 5000)
        w.add_scalar("loss", 1.5, 5001)
        self.guard.write()
        self.assertLess(len(self.live.written), 60)
        self.assertEqual(self.live.written[-1][1:3], (1.5, 5001))
        self.assertTrue(any(v != v for _, v, *_ in self.live.written))

    def test_what_is_no_number(self):
        class Odd:
            def __float__(self):
                raise AssertionError("read")

        for value in (None, True, "1", [1], {}, Odd(), b"1"):
            self.assertIsNone(metrics.number(value))
        self.assertEqual(metrics.number(3), 3.0)


if __name__ == "__main__":
    unittest.main()
