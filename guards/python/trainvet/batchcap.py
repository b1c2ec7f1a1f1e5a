"""A bound for the batches of torch's DataLoader, for the memory of a device: only
where trainvet run --batch-cap asks for it. What was asked and what became of it is
written to the record, and said once in the log."""

import functools
import os
import sys

CAP = "TRAINVET_BATCH_CAP"


class Guard:
    def __init__(self, live):
        self.live = live
        cap = os.environ.get(CAP, "")
        self.cap = int(cap) if cap.isdigit() else 0

    def actions(self):
        return {"torch.utils.data.dataloader": self.loaders} if self.cap > 0 else {}

    def loaders(self, module):
        original, guard = module.DataLoader.__init__, self

        @functools.wraps(original)
        def __init__(loader, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, *args, **kwargs):
            capped = guard.quietly(lambda: guard.capped(batch_size, batch_sampler), batch_size)
            return original(loader, dataset, capped, shuffle, sampler, batch_sampler, *args, **kwargs)

        module.DataLoader.__init__ = __init__

    def capped(self, batch_size, batch_sampler):
        """The size to take; a sampler that makes whole batches gets it itself, if it
        has such an attribute and heeds it."""
        if batch_sampler is None:
            if isinstance(batch_size, int) and batch_size > self.cap:
                self.tell(batch_size, self.cap)
                return self.cap
            return batch_size
        asked = getattr(batch_sampler, "batch_size", None)
        if not isinstance(asked, int):
            self.tell(None, None)
        elif asked > self.cap:
            batch_sampler.batch_size = self.cap
            self.tell(asked, self.cap)
        return batch_size

    def tell(self, asked, effective):
        if asked is None:
            text = "a sampler that makes whole batches names no batch size: it is not bounded by --batch-cap %d" % self.cap
        else:
            text = "batches of %d instead of %d (--batch-cap %d)" % (effective, asked, self.cap)
        if ("batch-capped", text) in self.live.said:
            return
        self.live.finding("batch-capped", "note", text, once=text)
        sys.stderr.write("trainvet: %s\n" % text)
        sys.stderr.flush()

    def quietly(self, do, otherwise):
        try:
            return do()
        except Exception as e:
            self.live.report("batch cap", e)
            return otherwise
