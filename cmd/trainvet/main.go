// Command trainvet answers one question: can I believe the number that this
// training run printed?
//
// Each subcommand has one file: flags in, one library call, exit code out.
package main

import (
	"os"

	"github.com/trainvet/trainvet/internal/cli"
)

func main() { os.Exit(program().Main(os.Args[1:])) }

func program() *cli.App {
	return &cli.App{
		Name:    "trainvet",
		Summary: "can I believe the number that this training run printed?",
		Stdin:   os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv,
		Commands: []cli.Command{
			auditCommand(),
			demoCommand(),
			explainCommand(),
			versionCommand(),
		},
	}
}
