"""Whoever catches whatever was raised writes it down, or says why not."""

import ast
import os
import unittest

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "trainvet")
WRITES = ("report", "erred", "errors")  # of a name that is called, or of what it is appended to
BROAD = ("Exception", "BaseException")


def broad(handler):
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return handler.type is None or any(isinstance(k, ast.Name) and k.id in BROAD for k in kinds)


def writes(handler):
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Call) and any(name in WRITES for name in names(node.func)):
            return True
    return False


def names(node):
    while isinstance(node, ast.Attribute):
        yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


class Handlers(unittest.TestCase):
    def test_each_writes_or_says_why_not(self):
        silent, n = [], 0
        for file in sorted(f for f in os.listdir(FOLDER) if f.endswith(".py")):
            with open(os.path.join(FOLDER, file), encoding="utf-8") as f:
                text = f.read()
            lines = text.split("\n")
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ExceptHandler) and broad(node):
                    n += 1
                    if not writes(node) and "#" not in lines[node.lineno - 1]:
                        silent.append("%s:%d" % (file, node.lineno))
        self.assertEqual(silent, [])
        self.assertGreater(n, 50)


if __name__ == "__main__":
    unittest.main()
