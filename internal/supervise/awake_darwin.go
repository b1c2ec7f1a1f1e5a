package supervise

import (
	"os"
	"strconv"
)

// stayAwake keeps the machine from sleeping while a process lives.
func stayAwake(r *reaper, pid int) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	_, _ = r.start(launch{ // without it the machine may sleep, which the log will show
		path: "/usr/bin/caffeinate", argv: []string{"caffeinate", "-dimsu", "-w", strconv.Itoa(pid)},
		env: os.Environ(), files: []*os.File{null, null, null},
	})
}
