"""Acts when a module has been imported: what guards a library is put in place
once, behind the library's own code, and before anyone holds its functions.

A finder of its own stands first on sys.meta_path, asks the others for the
module and lets them load it. Loaders stay what they are, so that nobody who
looks at a module sees a difference."""

import sys


class Finder:
    """Actions by module name. An action is called with the module; an error in
    it goes to report and hurts nobody."""

    def __init__(self, actions, report):
        self.actions = dict(actions)
        self.report = report
        self.busy = set()

    def find_spec(self, name, path=None, target=None):
        if name not in self.actions or name in self.busy:
            return None
        self.busy.add(name)
        try:
            spec = self.ask_others(name, path, target)
        finally:
            self.busy.discard(name)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            self.attach(spec)
        return spec

    def ask_others(self, name, path, target):
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                return spec
        return None

    def attach(self, spec):
        load = spec.loader.exec_module
        action = self.actions[spec.name]

        def exec_module(module):
            load(module)
            if getattr(module, "__name__", "") == spec.name:  # a zip has one loader for all its modules
                self.act(spec.name, action, module)

        try:
            spec.loader.exec_module = exec_module
        except AttributeError as e:  # a loader with slots
            self.report("import of " + spec.name, e)

    def act(self, name, action, module):
        self.actions.pop(name, None)
        try:
            action(module)
        except Exception as e:
            self.report("import of " + name, e)

    def install(self):
        """Modules that are there already get their actions now."""
        for name in list(self.actions):
            if name in sys.modules and not importing(sys.modules[name]):
                self.act(name, self.actions[name], sys.modules[name])
        sys.meta_path.insert(0, self)


def importing(module):
    return getattr(getattr(module, "__spec__", None), "_initializing", False)


def put(module, name, made):
    """A function in the place of a module's own, and where the packages around it give
    that on: a notebook has imported them before."""
    original, package = getattr(module, name), module.__name__
    setattr(module, name, made)
    while "." in package:
        package = package.rpartition(".")[0]
        owner = sys.modules.get(package)
        if owner is not None and vars(owner).get(name) is original:
            setattr(owner, name, made)
