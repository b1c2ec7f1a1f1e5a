"""python -m trainvet train.py ARGUMENT...: the guards around one script, where
there is no trainvet run."""

import os
import runpy
import sys

from trainvet import api


USAGE = "usage: python -m trainvet SCRIPT [ARGUMENT...]"


def refuse(text):
    """Ends as Python itself does where the command line is wrong."""
    print(text, file=sys.stderr)
    sys.exit(2)


def main():
    script = sys.argv[1] if len(sys.argv) > 1 else ""
    if script in ("-h", "--help"):
        print(USAGE)
        return
    if not script or script.startswith("-"):
        refuse(USAGE)
    if not os.path.exists(script):  # before a record of nothing is begun
        refuse("python -m trainvet: there is no file " + script)
    where = api.watch()
    print("trainvet records into " + where, file=sys.stderr)
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")


main()
