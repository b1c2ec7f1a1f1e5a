"""What a file holds beside a model and an optimizer, as far as it is logic, and
streams that are given back their state, on this Python alone."""

import random
import types
import unittest

from trainvet import live, restored


class Out:
    def __init__(self):
        self.rows = []

    def write(self, kind, data, place=None):
        self.rows.append(data)


class Case(unittest.TestCase):
    def setUp(self):
        self.out = Out()
        self.live = live.Live(self.out, lambda what, error: self.fail("%s: %s" % (what, error)))
        stepping = types.SimpleNamespace(beginning=[])
        resuming = types.SimpleNamespace()
        saves = types.SimpleNamespace(things=[], listeners=[])
        models = types.SimpleNamespace(roots=lambda: [])
        loaders = types.SimpleNamespace(latest=None)
        self.guard = restored.Guard(self.live, stepping, resuming, saves, models, loaders, lambda: None)

    def found(self):
        return [(r["code"], r["effect"], r["text"]) for r in self.out.rows]


FILE = types.SimpleNamespace(path="out/rng_state.pth", places=())


class Streams(Case):
    def step(self):
        self.guard.begins(types.SimpleNamespace(state={1: 1}))

    def module(self):
        module = types.SimpleNamespace(Random=type("Random", (random.Random,), {}), _inst=None)
        module._inst = module.Random(1)
        self.guard.python_stream(module)
        return module

    def test_what_is_not_given_back_is_a_note_once(self):
        self.guard.opened(FILE, {"python": random.Random(3).getstate()})
        self.step()
        self.step()
        self.assertEqual([("resume-otherwise", "note", "rng_state.pth holds the random numbers of python, and others are drawn")], self.found())

    def test_what_is_given_back_is_none(self):
        module, state = self.module(), random.Random(3).getstate()
        self.guard.opened(FILE, {"python": state})
        module.setstate(state)
        self.assertEqual(random.Random(3).random(), module._inst.random())
        self.step()
        self.assertEqual([], self.found())

    def test_another_state_is_none_of_the_file(self):
        module = self.module()
        self.guard.opened(FILE, {"rng": {"python": random.Random(3).getstate()}})
        module.setstate(random.Random(4).getstate())
        self.step()
        self.assertEqual(1, len(self.found()))

    def test_nobody_waits(self):
        module = self.module()
        module.setstate(random.Random(3).getstate())
        self.assertFalse(self.guard.states)


class Parts(unittest.TestCase):
    def held(self, **parts):
        return restored.Held(parts)

    def test_a_scaler(self):
        state = {"scale": 512.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2000, "_growth_tracker": 3}
        self.assertEqual(512.0, self.held(extra={"grad_scaler": state}).scale)
        self.assertEqual(0.0, self.held(scaler={}).scale)

    def test_a_sampler(self):
        self.assertEqual("train_sampler", self.held(train_sampler={"position": 3}).sampler)
        self.assertEqual("", self.held(sampler={}, sampled={"a": 1}).sampler)

    def test_an_epoch_is_one_of_the_file(self):
        self.assertEqual(3, self.held(epoch=3).epoch)
        self.assertEqual(0, self.held(schedule={"epoch": 3}, epoch="3").epoch)

    def test_itself(self):
        around = {"a": 1}
        around["self"] = around
        self.assertFalse(restored.Held(around).more())

    def rate(self, group, now, *epochs):
        held = self.held(optimizer={"state": {}, "param_groups": [group]})
        schedules = [types.SimpleNamespace(last_epoch=e) for e in epochs]
        return held.rate(types.SimpleNamespace(param_groups=[{"lr": now}]), schedules)

    def test_a_rate_that_begins_anew(self):
        moved = {"lr": 0.1, "initial_lr": 0.4}
        self.assertTrue(self.rate(moved, 0.4, 0))
        for healthy in (
            self.rate(moved, 0.1, 0),  # as it was
            self.rate(moved, 0.4, 3),  # the schedule goes on
            self.rate(moved, 0.2),  # set by hand
            self.rate({"lr": 0.4, "initial_lr": 0.4}, 0.1, 0),  # it had not moved
            self.rate({"lr": 0.1}, 0.4, 0),  # there was no schedule
        ):
            self.assertEqual([], healthy)


if __name__ == "__main__":
    unittest.main()
