package supervise

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// maxKernelLines bounds the lines about one process.
const maxKernelLines = 4

// kernelAbout reads the lines of the kernel since a moment of its clock (in
// microseconds) that tell of the end of a process, in the way that about knows.
func kernelAbout(pid int, since int64, about func(text string, pid int) bool) (lines []string, unseen string) {
	f, err := os.OpenFile("/dev/kmsg", os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, reason(err)
	}
	buf := make([]byte, 16<<10)
	for {
		var n int
		var readErr error
		_ = raw.Read(func(fd uintptr) bool { n, readErr = syscall.Read(int(fd), buf); return true })
		switch {
		case errors.Is(readErr, syscall.EPIPE): // overwritten while it was read: go on
			continue
		case errors.Is(readErr, syscall.EAGAIN), readErr == nil && n == 0:
			return lines, ""
		case readErr != nil:
			return lines, reason(readErr)
		}
		if text, ok := lineOf(string(buf[:n]), since); ok && about(text, pid) && len(lines) < maxKernelLines {
			lines = append(lines, text)
		}
	}
}

// lineOf takes a record "priority,seq,microseconds,flags;text" apart; not ok: it
// is none, or from before.
func lineOf(rec string, since int64) (text string, ok bool) {
	head, text, ok := strings.Cut(rec, ";")
	f := strings.Split(head, ",")
	if !ok || len(f) < 3 {
		return "", false
	}
	if stamp, err := strconv.ParseInt(f[2], 10, 64); err != nil || stamp < since {
		return "", false
	}
	text, _, _ = strings.Cut(text, "\n")
	return text, true
}

func reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
