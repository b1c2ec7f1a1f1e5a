// Package clitest holds the commands that txtar scripts of the command line
// need beyond those of testscript. Only tests import it.
package clitest

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// Commands returns:
//
//	code N PROGRAM ARG...      the program ends with exit code N
//	interrupt PROGRAM ARG...   after its first line the program is interrupted
//	                           and ends with 130
func Commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"code":      code,
		"interrupt": interrupt,
	}
}

func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCode(ts, ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: interrupt PROGRAM ARG...")
	}
	// env searches the script's PATH; the test's own does not hold the program.
	cmd := exec.Command("/usr/bin/env", args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"))
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		ts.Fatalf("the program ended before its first line: %v", err)
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if got := exitCode(ts, cmd.Wait()); got != 130 {
		ts.Fatalf("exit code %d after an interrupt, want 130", got)
	}
}

func exitCode(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	ts.Fatalf("starting the program: %v", err)
	return -1
}
