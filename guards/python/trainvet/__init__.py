"""What trainvet puts into a Python process.

boot        what happens before the trainer: the only module that others start
streams     line buffering of Python's and C's standard output
capture     what a process prints that trainvet run did not start
record      the run record: one line a write, each closed by its CRC
process     what the operating system says of this process

guards      brings the checks to life, each when its library is imported
imports     acts when a module has been imported
live        what the checks share: sites, counts, findings, the step
gate        whether a value may be read, and whether there is time for it
decode      token ids before they become text; with batch, grade, vocabulary
steps       optimizer steps: asked for, applied, thrown away
scaled      steps past the scaler of their loss
clipped     gradients that are clipped while they carry the loss scale
replicas    what the ranks of a run hold, for the audit to compare
data        loaders: which train, and whether workers and epochs draw of their own;
            with fetches, chance, draws, content
targets     whether a loss is computed from any target
overlap     whether an evaluation sees samples that are trained on
ranks       whether ranks that share gradients see data of their own
training    gradients: what they reach, whether they are cleared (marks)
handmade    gradients that no backward made
handwritten what a trainer wrote itself where a library has the same: scalers
            (ownscaler) and tokenizers
modes       steps made in evaluation mode
evaluation  whether what an evaluation rests on is finite
compilers   no hook is left on a module that is compiled
workings    brings to life: moves (what trains moves), initial (what it began with),
            noise (dropout in an evaluation), precision (asked for and computed in),
            contract (what generate gave), wrapping (attributes across a wrap),
            provenance (the first that is not finite), underflow (of float16),
            stacks (where a run stands)
intent      which device, how many epochs and steps were asked for
loaders     passes over loaders, which of them trained, samples
firststep   where a training stands at its first step; with frozen, accelerators
manifest    what each rank is made of, for the audit to compare
budget      what a training was to do, and what it did; with stops
settings    seeds, arguments and configurations, for a run that is done again
models      the models of a process, and what they were at earlier moments
weights     tensors by name, and which of a model's a file holds
checkpoint  what is saved as a model, against the model
models      the models of a process, and what they were at earlier moments
weights     tensors by name, and which of a model's a file holds
checkpoint  what is saved as a model, against the model
sharded     the same of a checkpoint that every rank writes a part of
resume      what a training that goes on from a file restores of it
restored    the same of what a file holds beside model and optimizer
defaults    evaluations of nothing, values that were not computed
metrics     values that are reported by a framework's call
batchcap    batches of a loader that are bounded on request
overfit     a trainer that is given its first samples again and again
drill       one decode is given ids of a broken device
backtrace   each backward operation announces itself
swallowed   faults that were raised and eaten
coverage    which decodes of the sources were met
caller      which line of the trainer called
api, fault  what a trainer may call itself

Standard library only. Nothing here is imported by a trainer that did not ask
for it, and nothing here may end one.
"""

NAMES = ("Fault", "TokenRangeFault", "QualityFinding", "watch", "check_ids", "metric", "step", "evaluating", "taint")


def __getattr__(name):
    if name in NAMES:
        from trainvet import api

        return getattr(api, name)
    raise AttributeError("module 'trainvet' has no attribute %r" % name)


def load_ipython_extension(ipython):
    """%load_ext trainvet"""
    from trainvet import api

    print("trainvet records into " + api.watch())
