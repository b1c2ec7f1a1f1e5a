"""Who ate a fault: the handler is named, whatever it looks like."""

import concurrent.futures
import contextlib
import gc
import pickle
import sys
import threading
import unittest

from trainvet import fault, swallowed


class Live:
    def __init__(self):
        self.said, self.after, self.faults = set(), [], []

    def fault(self, code, text):
        self.faults.append(text)

    def report(self, what, error):
        raise error


def decode(bad=True):
    if bad:
        raise fault.TokenRangeFault("the id 16843009", "ids-signature", 16843009)


class Eaters:
    """Each eats a fault; the line of its handler ends in a comment."""

    def broad(self):
        try:
            decode()
        except Exception:  # here
            pass

    def bare(self):
        try:
            decode()
        except:  # noqa: E722 # here
            return ""

    def among(self):
        try:
            decode()
        except KeyError:
            pass
        except (ValueError, RuntimeError) as e:  # here
            return str(e)

    def suppressed(self):
        with contextlib.suppress(Exception):  # here
            decode()

    def wrapped(self):
        def item():
            try:
                decode()
            except Exception as e:
                raise LookupError("item") from e

        for _ in range(2):
            try:
                item()
            except LookupError:  # here
                continue

    def kept(self):
        errors = []
        try:
            decode()
        except Exception as e:  # here
            errors.append(e)
        return errors

    def inner(self):
        try:
            try:
                decode()
            except KeyError:
                pass
            finally:
                x = 1
        except RuntimeError:  # here
            return x


class Swallowed(unittest.TestCase):
    def setUp(self):
        self.live = Live()
        self.guard = swallowed.Guard(self.live)

    def tearDown(self):
        fault.Fault.born = fault.Fault.gone = None

    def test_the_handler_is_named(self):
        with open(__file__, encoding="utf-8") as f:
            lines = f.read().split("\n")
        for name, eater in vars(Eaters).items():
            if name.startswith("_"):
                continue
            with self.subTest(name):
                self.live.faults, self.live.said = [], set()
                kept = eater(None)
                del kept
                gc.collect()
                self.assertEqual(len(self.live.faults), 1, self.live.faults)
                place = self.live.faults[0].split(":")[1].split()[0]
                self.assertTrue(lines[int(place) - 1].endswith("# here"), self.live.faults[0])
                self.assertIn(name, self.live.faults[0])

    def test_what_goes_on_upwards_is_not_eaten(self):
        def through():
            try:
                decode()
            except ValueError:
                pass
            finally:
                decode(False)

        try:
            through()
        except fault.Fault as e:
            self.assertEqual(self.live.faults, [])
            sys.last_value = e
        try:
            self.guard.ending()
            self.assertEqual(self.live.faults, [])
        finally:
            del sys.last_value

    def test_what_is_kept_to_the_end_was_eaten(self):
        try:
            decode()
        except Exception as e:
            kept = e
        self.guard.ending()
        self.assertEqual(len(self.live.faults), 1)
        self.assertIn("except Exception", self.live.faults[0])
        del kept

    def test_threads(self):
        hook, threading.excepthook = threading.excepthook, lambda args: None
        try:
            t = threading.Thread(target=decode)
            t.start()
            t.join()
        finally:
            threading.excepthook = hook
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(decode)
        del pool
        gc.collect()
        self.assertTrue(self.live.faults)
        self.assertIn("in decode", self.live.faults[0])

    def test_it_goes_to_another_process_whole(self):
        made = pickle.loads(pickle.dumps(fault.TokenRangeFault("text", "ids-signature", 7, 1, 2)))
        self.assertEqual((made.args, made.code, made.value, made.row), (("text",), "ids-signature", 7, 1))
        del made
        self.assertEqual(self.live.faults, [])


if __name__ == "__main__":
    unittest.main()
