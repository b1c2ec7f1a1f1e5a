package main

import (
	"flag"
	"os/exec"
	"strings"
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
		Cmds: clitest.Commands(), Setup: goEnvironment(t),
	})
}

// goEnvironment gives scripts the caches of the go command, which it would
// look for in a home folder: scripts have none.
func goEnvironment(t *testing.T) func(*testscript.Env) error {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	return func(env *testscript.Env) error {
		for i, name := range names {
			env.Setenv(name, values[i])
		}
		tool, err := exec.LookPath("trainvet") // testscript has put it into the PATH
		if err != nil {
			return err
		}
		env.Setenv("TRAINVET", tool)
		env.Setenv("GOFLAGS", "")
		env.Setenv("GOPROXY", "off")
		env.Setenv("GOTOOLCHAIN", "local")
		return nil
	}
}
