// Command trainvet answers one question: can I believe the number that this
// training run printed?
//
// Each subcommand has one file: flags in, one library call, exit code out.
package main

import (
	"os"
	"runtime/debug"

	"github.com/trainvet/trainvet/internal/cli"
)

// gcPercent keeps the heap near what is live: an audit holds little and must not
// show the size of its input.
const gcPercent = 50

func main() {
	if args := os.Args[1:]; vettool(args) {
		os.Exit(answerGo(args))
	}
	debug.SetGCPercent(gcPercent)
	os.Exit(program().Main(os.Args[1:]))
}

func program() *cli.App {
	return &cli.App{
		Name:    "trainvet",
		Summary: "can I believe the number that this training run printed?",
		Stdin:   os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv,
		Commands: []cli.Command{
			auditCommand(),
			demoCommand(),
			explainCommand(),
			vetCommand(),
			versionCommand(),
		},
		Planned: []string{"ledger", "probe", "run"},
	}
}
