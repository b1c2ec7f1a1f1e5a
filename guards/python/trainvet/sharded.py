"""Checkpoints that every rank writes a part of (torch.distributed.checkpoint). No
value of a shard is read, and no rank is asked for its part: what can be held
against the model are the names."""

import functools
import os
import sys

from trainvet import checkpoint, imports, steps, weights

SAVES = ("save", "async_save", "save_state_dict")


class Guard:
    def __init__(self, live, models, saves):
        self.live, self.models, self.saves = live, models, saves

    def actions(self):
        return {"torch.distributed.checkpoint.state_dict_saver": self.savers}

    def savers(self, module):
        for name in SAVES:
            if callable(getattr(module, name, None)):
                self.wrap(module, name)

    def wrap(self, module, name):
        original, guard, local = getattr(module, name), self, self.live.local

        @functools.wraps(original)
        def save(*args, **kwargs):
            if getattr(local, "sharded", False):  # one of them calls another
                return original(*args, **kwargs)
            local.sharded = True
            try:
                path = guard.quietly(lambda: guard.begins(*args, **kwargs))
                out = original(*args, **kwargs)
            finally:
                local.sharded = False
            if path and name != "async_save":
                guard.quietly(lambda: guard.saves.record("wrote", path, "checkpoint"))
            return out

        save.__trainvet__ = True
        imports.put(module, name, save)

    def quietly(self, do):
        try:
            return do()
        except Exception as e:
            self.live.report("sharded checkpoint", e)
            return None

    def begins(self, state_dict, *rest, checkpoint_id=None, storage_writer=None, **kwargs):
        """The folder, where it is known; of one that is written later only that."""
        if steps.unreadable() or not self.models.clock():
            return ""
        path = checkpoint.name_of(checkpoint_id) or checkpoint.name_of(getattr(storage_writer, "path", None))
        path = path or next((checkpoint.name_of(r) for r in rest if checkpoint.name_of(r)), "")
        names, optimizer = named(state_dict)
        if names:
            self.look(os.path.basename(path.rstrip(os.sep)) or "a checkpoint", names, optimizer)
        if path:
            self.saves.record("writing", path, "checkpoint")
        return path

    def look(self, title, names, optimizer):
        step = self.live.step
        held, shards = {}, sum(1 for whole in names.values() if not whole)
        for root in self.models.trained():
            own = parameters(root)
            if 2 * sum(1 for n in own if n in names) > len(own) > len(held):
                held = own
        missing = sorted(n for n, (ref, trains) in held.items() if trains and n not in names and not any(r is ref and o in names for o, (r, _) in held.items()))
        if missing and optimizer:
            text = "%s, saved at step %d, lacks %s: whoever loads it gets another model than the one that was evaluated" % (title, step, checkpoint.listed(missing))
            self.live.finding("checkpoint-incomplete", "degrade", text, since=step, name=missing[0], once=("lacks", tuple(missing)))
        if shards:
            against = "their names are those of the model" if held and not missing else "lacking %s of the model" % checkpoint.listed(missing) if missing else "no model that is trained has their names"
            text = "%s, saved at step %d: %d of its %d tensors are shards; %s, and their values were not looked at" % (title, step, shards, len(names), against)
            self.live.finding("checkpoint-sharded", "note", text, since=step, until=step, once="sharded")


def parameters(root):
    """By name, without what wrappers add: a parameter, and whether it trains."""
    return {weights.bare(n): (p, p.requires_grad) for n, p in root.named_parameters(remove_duplicate=False)}


def named(state):
    """The names of the tensors, at any depth, and whether each is all here; whether
    the state of an optimizer is among them. Nothing of a tensor is read."""
    torch = sys.modules["torch"]
    names, optimizer, work, nodes = {}, False, [(state, 0)], 0
    while work and nodes < weights.MAX_TENSORS:
        node, depth = work.pop()
        nodes += 1
        if not isinstance(node, dict) or depth > weights.MAX_DEPTH:
            continue
        if "param_groups" in node and "state" in node:
            optimizer = True
            continue
        for key, value in node.items():
            if isinstance(value, torch.Tensor) and isinstance(key, str):
                names[weights.bare(key)] = steps.plain(value)
            elif isinstance(value, dict):
                work.append((value, depth + 1))
    return names, optimizer
