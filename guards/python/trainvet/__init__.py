"""What trainvet run puts into a Python process.

boot     what happens before the trainer: the only module that others start
streams  line buffering of Python's and C's standard output
record   the run record: one line a write, each closed by its CRC
process  what the operating system says of this process

Standard library only. Nothing here is imported by a trainer that did not ask
for it, and nothing here may end one.
"""
