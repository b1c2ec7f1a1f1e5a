package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/trainvet/trainvet/guards/python"
	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// drillFlag makes a fault on purpose, in a run that is thrown away.
var drillFlag = cli.Flag{Name: "drill", Kind: cli.Text, Value: "decode@N",
	Help: "give the Nth decode of this throw-away run ids of a broken device; 0 where the fault reaches the top, 1 where somebody eats it"}

var drillForm = regexp.MustCompile(`^decode@[1-9][0-9]{0,8}$`)

// drillVars tell the guards of it.
func drillVars(call *cli.Call) ([]string, error) {
	text := call.Text("drill")
	if text == "" {
		return nil, nil
	}
	if !drillForm.MatchString(text) {
		return nil, cli.Usage("run: --drill %s: decode@3 is what can be drilled: the third decode", text)
	}
	if call.Switch("detach") {
		return nil, cli.Usage("run: --drill waits for the end of the run: it cannot be detached")
	}
	return []string{python.EnvDrill + "=" + text, python.EnvOnFault + "=" + supervise.Stop}, nil
}

// drilled says whether the fault that was made reached the top, and who ate it.
func drilled(call *cli.Call, out *supervise.Outcome) error {
	what := call.Text("drill")
	d, err := rundir.Read(out.Dir)
	if err != nil {
		return cli.CouldNot("drill", err)
	}
	made, raised, eaten := false, false, ""
	for _, f := range d.Evidence().Findings {
		switch {
		case f.Code == "drill":
			made = true
		case f.Code == "fault-swallowed":
			eaten = f.Text
		case f.Class == string(evidence.Fault) && strings.HasPrefix(f.Code, "ids-"):
			raised = true
		}
	}
	failed := out.Signal != 0 || out.Code != 0
	switch {
	case !made:
		fmt.Fprintf(call.Stderr, "trainvet: drill %s: it was not reached: fewer decodes were guarded\n", what)
		return cli.Outcome(cli.CodeCouldNot)
	case raised && failed:
		fmt.Fprintf(call.Stderr, "trainvet: drill %s: passed: the fault was recorded and ended the run\n", what)
		return cli.Outcome(cli.CodeOK)
	case eaten != "":
		fmt.Fprintf(call.Stderr, "trainvet: drill %s: FAILED: %s\n", what, plain.Line(eaten, maxRunLine))
	case raised:
		fmt.Fprintf(call.Stderr, "trainvet: drill %s: FAILED: the fault was recorded, and the run ended with code 0\n", what)
	default:
		fmt.Fprintf(call.Stderr, "trainvet: drill %s: FAILED: nothing found the ids\n", what)
	}
	return cli.Outcome(cli.CodeFound)
}
