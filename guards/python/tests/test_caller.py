"""What is asked of a trainer's frames leaves nothing behind in them."""

import gc
import sys
import unittest
import weakref

from trainvet import caller, stops


class Loss:
    """Stands for what a step holds on to: a graph, outputs."""


class Locals(unittest.TestCase):
    def test_what_a_function_holds(self):
        steps, loss = 7, Loss()
        held = caller.locals_of(sys._getframe())
        self.assertEqual((held["steps"], held["loss"]), (steps, loss))
        steps = 8
        self.assertEqual((held["steps"], caller.locals_of(sys._getframe())["steps"]), (7, steps))

    def test_a_module_holds_its_names_themselves(self):
        names = {"sys": sys, "caller": caller}
        exec("a = 1\nheld = caller.locals_of(sys._getframe())", names)
        self.assertIs(names["held"], names)

    def test_nothing_is_kept_alive(self):
        for ask in (caller.locals_of, stops.Scope):
            loss = Loss()
            first = weakref.ref(loss)
            ask(sys._getframe())
            loss = Loss()
            gc.collect()
            self.assertIsNone(first(), ask)
            self.assertIsNotNone(loss)

    def test_locals_that_the_trainer_holds_stay_whole(self):
        steps = 7
        own = locals()
        caller.locals_of(sys._getframe())
        self.assertEqual(own["steps"], steps)

    def test_a_generator_and_a_closure_go_on(self):
        def numbers(n):
            def inner():
                return n

            for i in range(n):
                caller.locals_of(sys._getframe())
                yield i, inner()

        self.assertEqual(list(numbers(3)), [(0, 3), (1, 3), (2, 3)])


if __name__ == "__main__":
    unittest.main()
