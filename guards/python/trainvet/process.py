"""What the operating system and the launcher say of this process. What is not
known is None, 0 or empty; nothing here raises."""

import os
import sys
import time

# The variables of torchrun and its kin, Slurm, Open MPI, MPICH and its kin.
RANKS = (
    ("RANK", "WORLD_SIZE"),
    ("SLURM_PROCID", "SLURM_NTASKS"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
)
LOCAL_RANKS = ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID")


def number(name):
    text = os.environ.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else None


def rank():
    for name, _ in RANKS:
        if number(name) is not None:
            return number(name)
    return None


def world():
    for name, size in RANKS:
        if number(name) is not None:
            return number(size) or 0
    return 0


def local_rank():
    for name in LOCAL_RANKS:
        if number(name) is not None:
            return number(name)
    return None


def host():
    try:
        return os.uname().nodename
    except (AttributeError, OSError):
        return ""


def boot_id():
    return read("/proc/sys/kernel/random/boot_id").strip()


def argv():
    """The whole command line; sys.argv is not there yet when a site is set up."""
    original = getattr(sys, "orig_argv", None)
    if original:
        return [printable(a) for a in original]
    return [printable(a) for a in read("/proc/self/cmdline").split("\0")[:-1]]


def printable(text):
    return text.encode("utf-8", "replace").decode("utf-8")


def started():
    """When this process started, in Unix nanoseconds; with the pid it is unique."""
    fields = read("/proc/self/stat").rpartition(")")[2].split()
    uptime = read("/proc/uptime").split()
    try:
        age = float(uptime[0]) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (IndexError, ValueError, OSError):
        return 0
    return time.time_ns() - int(age * 1e9)


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""
