//go:build !linux

package supervise

import "time"

// monotonic stands in for a clock that the standard library does not show.
func monotonic() int64 { return time.Now().UnixNano() }
