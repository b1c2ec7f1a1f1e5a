"""Imported by the interpreter before the trainer: starts trainvet, then steps
aside for the sitecustomize that it hides, if there is one."""

import os
import sys


def _start():
    if os.environ.get("TRAINVET") == "0":
        return
    try:
        run = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        if not os.environ.get("TRAINVET_RUN") and not os.path.isdir(os.path.join(run, "records")):
            return  # a copy of the package on PYTHONPATH: no run lies around it
        from trainvet import boot

        boot.start(run)
    except Exception:  # a trainer does not end because of its guards
        pass


def _chain():
    """Imports the sitecustomize behind ours. An error in it is the business of
    its owner: the interpreter reports it as it would without us."""
    ours = os.path.dirname(__file__)
    path = list(sys.path)
    sys.path[:] = [p for p in path if p != ours]
    mine = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as e:
        if getattr(e, "name", None) != "sitecustomize":
            raise
    finally:
        if "sitecustomize" not in sys.modules and mine is not None:
            sys.modules["sitecustomize"] = mine
        added = [p for p in sys.path if p not in path]
        sys.path[:] = path + added


_start()
_chain()
