"""python -m trainvet train.py ARGUMENT...: the guards around one script, where
there is no trainvet run."""

import os
import runpy
import sys

from trainvet import api


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python -m trainvet SCRIPT [ARGUMENT...]")
    where = api.watch()
    print("trainvet records into " + where, file=sys.stderr)
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")


main()
