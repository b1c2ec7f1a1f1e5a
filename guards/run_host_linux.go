package guards

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// bootID is the kernel's; empty where it cannot be read.
func bootID() string {
	b, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b))
}

// ticksPerSecond is the unit of /proc/self/stat: USER_HZ, 100 on every
// architecture that Go runs on.
const ticksPerSecond = 100

// processStart is when this process started, in Unix nanoseconds; 0 where it
// cannot be read. With the pid it names a process.
func processStart() int64 {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	// The second field is the name in brackets and may hold anything, brackets
	// too; behind its last one come the third and further fields.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return 0
	}
	started, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil {
		return 0
	}
	uptime, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(uptime), " ")
	up, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	age := time.Duration(up*float64(time.Second)) - time.Duration(started)*time.Second/ticksPerSecond
	return time.Now().Add(-age).UnixNano()
}
