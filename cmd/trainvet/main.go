// Command trainvet answers one question: can I believe the number that this
// training run printed?
//
// Each subcommand has one file: flags in, one library call, exit code out.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/supervise"
)

const (
	// gcPercent keeps the heap near what is live: an audit holds little and must
	// not show the size of its input.
	gcPercent = 50
	// ballast counts as live but is never touched, and so takes no memory. Without
	// it the collector ran 26 times, for 30 ms, while the catalogues were loaded.
	ballast = 4 << 20
)

func main() {
	if args := os.Args[1:]; vettool(args) {
		os.Exit(answerGo(args))
	}
	debug.SetGCPercent(gcPercent)
	if role := supervise.Role(os.Args[1:]); role != "" {
		os.Exit(playRole(role, os.Args[1:]))
	}
	held := make([]byte, ballast)
	code := program().Main(os.Args[1:])
	runtime.KeepAlive(held)
	os.Exit(code)
}

func program() *cli.App {
	return &cli.App{
		Name:    "trainvet",
		Summary: "can I believe the number that this training run printed?",
		Stdin:   os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv,
		Commands: []cli.Command{
			attachCommand(),
			auditCommand(),
			benchCommand(),
			compareCommand(),
			demoCommand(),
			deviceCommand(),
			explainCommand(),
			ledgerCommand(scanTree),
			machineCommand(),
			probeCommand(),
			runCommand(),
			runsCommand(),
			stopCommand(),
			vetCommand(),
			versionCommand(),
		},
	}
}
