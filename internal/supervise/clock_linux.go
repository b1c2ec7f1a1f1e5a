package supervise

import "golang.org/x/sys/unix"

// monotonic reads the machine's monotonic clock, which all its processes share.
func monotonic() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return 0
	}
	return ts.Nano()
}
