//go:build unix

package probe

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// ownGroup puts a worker and what it starts into a process group, which is
// killed as one.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup ends what a worker left behind.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // none is left in the usual case
	}
}

func howEnded(cmd *exec.Cmd, err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return "signal: " + status.Signal().String()
		}
		return fmt.Sprintf("exit code %d", exit.ExitCode())
	}
	if err != nil {
		return err.Error()
	}
	return "exit code 0"
}
