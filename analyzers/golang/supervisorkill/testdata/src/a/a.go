package a

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

func killed(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "torchrun", "train.py") // want `torchrun is killed with SIGKILL when the context ends`
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	return cmd.Run()
}

// The twins.

func asked(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "torchrun", "train.py")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	return cmd.Run()
}

func ownSession(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "python", "train.py")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd.Run()
}

func probe(ctx context.Context) error {
	return exec.CommandContext(ctx, "torchrun", "--version").Run()
}

func noContext() error { return exec.Command("python", "train.py").Run() }
