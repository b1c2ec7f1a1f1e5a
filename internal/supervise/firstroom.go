//go:build unix

package supervise

import (
	"os"
	"syscall"

	"github.com/trainvet/trainvet/logscan/follow"
)

// firstRoom is set aside on the disk for the log while it is empty, behind its
// end. Whatever cuts a file gives that room back. So a log that lacks it when its
// first bytes are read was cut before anybody had read any, which neither its size
// nor the bytes in it could tell.
const firstRoom = 64 << 10

// setFirstRoom reports whether the file system keeps such room, and says so.
func setFirstRoom(log *os.File) bool {
	return allocateBehind(log, firstRoom) == nil && hasFirstRoom(log)
}

func hasFirstRoom(log *os.File) bool {
	info, err := log.Stat()
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(st.Blocks)*512 >= firstRoom
}

// uncut looks once, when there is something to read or nothing will come.
func (l *live) uncut() {
	if l.room == nil {
		return
	}
	if !hasFirstRoom(l.room) {
		l.gap(follow.Gap{Kind: follow.Truncated, Lost: follow.NotKnown, Reason: "the log was cut before its first bytes were read"})
	}
	l.room = nil
}
