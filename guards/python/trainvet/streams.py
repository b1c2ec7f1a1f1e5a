"""Line buffering of what goes to the captured output.

Both streams of a process end in one file in the order of their writes. A block
of standard output that waits in a buffer while standard error is written would
stand behind a fault that came later, so Python's and C's standard output are
made to flush by line. Not by PYTHONUNBUFFERED: that writes a text and its line
feed apart, and lines of several processes tear."""

import os
import sys


def by_line(sink, shared):
    """Sets the streams whose descriptor is the sink, a (device, inode), and
    leaves the others alone: a pipe between two programs is faster in blocks.
    A stream that the user made unbuffered keeps the order as it is; only where
    it is shared with other processes is it made to write whole lines."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None or not goes_to(stream, sink):
            continue
        if shared:
            stream.reconfigure(line_buffering=True, write_through=False)
        else:
            stream.reconfigure(line_buffering=True)
    if descriptor_is(1, sink):
        c_stdout_by_line()


def goes_to(stream, sink):
    try:
        return descriptor_is(stream.fileno(), sink)
    except (OSError, ValueError, AttributeError):  # closed, or replaced by something without one
        return False


def descriptor_is(fd, sink):
    if sink is None:
        return False
    try:
        st = os.fstat(fd)
    except OSError:
        return False
    return (st.st_dev, st.st_ino) == sink


LINE_BUFFERED = {"linux": 1, "darwin": 1, "freebsd": 1}  # _IOLBF


def c_stdout_by_line():
    """printf of native code in this process, which Python knows nothing of."""
    mode = LINE_BUFFERED.get(sys.platform.rstrip("0123456789"))
    if mode is None:
        return
    try:
        import ctypes
    except ImportError:  # built without libffi
        return
    libc = ctypes.CDLL(None)
    name = "__stdoutp" if sys.platform == "darwin" else "stdout"
    stdout = ctypes.c_void_p.in_dll(libc, name)
    libc.setvbuf.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
    libc.setvbuf(stdout, None, mode, 0)
