//go:build unix && !darwin

package supervise

// stayAwake: servers do not sleep.
func stayAwake(*reaper, int) {}
