"""When a clip came before the unscaling, and when that harms, without torch."""

import types
import unittest

from trainvet import clipped, steps


class Clipping(unittest.TestCase):
    def clip(self, bound, size, asked=False):
        parameter = type("Parameter", (), {})()
        self.keep = parameter
        return clipped.Clip([parameter], bound, size, asked)

    def test_what_is_left_of_scaled_gradients(self):
        # true norm 2, bound 0.5: a quarter is meant to stay
        scale = 1024.0
        self.assertAlmostEqual(self.clip(0.5, 2 * scale).share(scale), 1 / scale)

    def test_what_the_bound_does_not_reach(self):
        self.assertEqual(self.clip(0.5, 0.4).share(1024.0), 1.0)
        self.assertEqual(self.clip(0.5, float("inf")).share(1024.0), 1.0)  # an overflow: the step is skipped

    def test_a_bound_that_was_raised(self):
        raised = self.clip(0.5 * 1024, 2 * 1024, asked=True)
        self.assertEqual(raised.share(1024.0), 1.0)
        self.assertLess(self.clip(0.5, 2 * 1024, asked=True).share(1024.0), clipped.TOO_SMALL)

    def test_a_true_gradient_below_the_bound(self):
        # without the scale nothing would have been clipped: all of it is meant to stay
        self.assertAlmostEqual(self.clip(1.0, 0.1 * 1024).share(1024.0), 1 / (0.1 * 1024))

    def test_whose_parameters_they_were(self):
        clip = self.clip(1.0, 2.0)
        self.assertTrue(clip.of({id(self.keep)}))
        self.assertFalse(clip.of({1}))
        del self.keep
        self.assertFalse(clip.of({1}))


class Dividing(unittest.TestCase):
    def optimizer(self, kind="Custom", state=(), **group):
        made = type(kind, (), {})()
        made.state = {0: dict.fromkeys(state, 0)} if state else {}
        made.param_groups = [group]
        return made

    def test_those_that_divide_by_the_size(self):
        for kind, state, group in (("Adam", (), {"betas": (0.9, 0.999), "eps": 1e-8}), ("RMSprop", (), {"eps": 1e-8}), ("Own", ("exp_avg_sq",), {}), ("Lion", (), {})):
            self.assertTrue(clipped.divides(self.optimizer(kind, state, **group), 1e-4), kind)

    def test_those_that_do_not(self):
        self.assertFalse(clipped.divides(self.optimizer("SGD", ("momentum_buffer",), lr=0.1), 1e-4))

    def test_gradients_that_come_near_what_is_added(self):
        adam = self.optimizer("Adam", (), betas=(0.9, 0.999), eps=1e-8)
        self.assertFalse(clipped.divides(adam, 1e-9))


class Standing(unittest.TestCase):
    def test_norms_that_stand_still(self):
        self.assertEqual(clipped.spread([0.5, 0.5, 0.5]), 0.0)
        self.assertAlmostEqual(clipped.spread([1.0, 2.0]), 0.5)
        self.assertEqual(clipped.spread([0.0, 0.0]), 0.0)

    def by_hand(self, norms, parts, bounds=(0.0,) * 3, scale=1024.0):
        said = []
        guard = clipped.Guard(types.SimpleNamespace(), steps.Guard(None))
        guard.say = lambda *args, **kwargs: said.append(args)
        optimizer = types.SimpleNamespace()
        for sizes in zip(norms, parts, bounds):
            guard.by_hand(optimizer, [1, 2], scale, clipped.Sizes(*sizes))
        return len(said)

    def test_the_same_norm_of_gradients_that_vary(self):
        self.assertEqual(self.by_hand([0.5] * 3, [0.1, 0.2, 0.3]), 1)

    def test_values_that_end_at_one_bound(self):
        vary, parts = [3.0, 2.5, 3.5], [1.0, 2.0, 1.5]
        self.assertEqual(self.by_hand(vary, parts, [0.5] * 3), 1)
        self.assertEqual(self.by_hand([3.0, 3.001, 3.002], [1.0] * 3, [0.5] * 3), 1)  # nearly all of them do
        self.assertEqual(self.by_hand(vary, parts, [0.5, 0.5000001, 0.5]), 0)
        self.assertEqual(self.by_hand(vary, parts, [0.0] * 3), 0)  # no two stand at the largest
        self.assertEqual(self.by_hand(vary, parts, [512.0] * 3), 0)  # what a loss of bounded slope gives
        self.assertEqual(self.by_hand([3.0] * 3, [1.0] * 3, [0.5] * 3), 0)  # one batch again and again

    def test_healthy_norms(self):
        self.assertEqual(self.by_hand([700.0, 512.0, 900.0], [100.0, 90.0, 200.0]), 0)
        self.assertEqual(self.by_hand([0.5] * 3, [0.1] * 3), 0)  # one batch again and again
        self.assertEqual(self.by_hand([0.5] * 2, [0.1, 0.2]), 0)
        self.assertEqual(self.by_hand([512.0] * 3, [100.0, 200.0, 300.0]), 0)  # clipped to a bound that was raised
        self.assertEqual(self.by_hand([float("inf")] * 3, [0.1, 0.2, 0.3]), 0)


if __name__ == "__main__":
    unittest.main()
