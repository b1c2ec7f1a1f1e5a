//go:build !linux && !darwin

package machine

import "context"

// BootID is not known here.
func BootID() string { return "" }

func initialPids() bool { return false }

func container() string { return "" }

func hasNvidia() bool { return false }

func alive(int) bool { return true }

func stuckProcesses(context.Context) (found []string, unseen string) {
	return nil, "not supported on this system"
}

func kernelFaults(context.Context) (found []string, unseen string) {
	return nil, "not supported on this system"
}
