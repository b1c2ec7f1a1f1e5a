//go:build !linux

package record

import "time"

// epoch carries a monotonic reading of this process.
var epoch = time.Now()

// monotonic orders the records of this process. Where the machine's own clock
// is out of the standard library's reach it starts with the wall clock at the
// start of the process, so that processes are roughly in order as well.
func monotonic() int64 { return epoch.UnixNano() + int64(time.Since(epoch)) }
