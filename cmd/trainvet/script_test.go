package main

import (
	"flag"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/trainvet/trainvet/internal/cli/clitest"
)

var update = flag.Bool("update", false, "write the golden files within the scripts anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"trainvet": main})
}

// TestScripts runs testdata/scripts: one behaviour a file, the first word of
// its name is the subcommand.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/scripts", RequireExplicitExec: true, UpdateScripts: *update,
		Cmds: clitest.Commands(),
	})
}
