//go:build unix

package supervise

// process is one that the system knows.
type process struct {
	pid, parent, group, session int
	state                       string // R, S, D, Z …
	name                        string
	// tick is when it started, in a unit of the system's own that never shifts;
	// with the pid and the boot it is one process and no other.
	tick    uint64
	started int64 // Unix nanoseconds, as far as the clock allows
}

// gone: there is no process of that pid, or another one has it now, or it is
// one that has ended and only waits to be asked.
func gone(pid int, tick uint64) bool {
	p, ok := readProcess(pid)
	return !ok || p.tick != tick || p.state == "Z" || p.state == "X"
}
