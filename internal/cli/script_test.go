package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/trainvet/trainvet/internal/cli/clitest"
)

// TestMain makes a small program of this package's own available to the
// scripts, so that each trap is tested apart from what trainvet does.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"toy": func() { os.Exit(toy().Main(os.Args[1:])) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/scripts", RequireExplicitExec: true, Cmds: clitest.Commands()})
}

func toy() *App {
	return &App{
		Name: "toy", Summary: "does next to nothing",
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv,
		Commands: []Command{
			{
				Name: "echo", Summary: "prints its command line", Args: "WORD...", MaxArgs: -1,
				Text:    "One line for each thing that was given.",
				Formats: []string{"text", "json"},
				Exits:   Exits("done", "a word was not printed", ""),
				Flags: []Flag{
					{Name: "all", Help: "everything"},
					{Name: "name", Short: "n", Kind: List, Value: "NAME", Help: "a name, any number of times"},
					{Name: "count", Kind: Integer, Value: "N", Help: "a number"},
					{Name: "wait", Kind: Period, Value: "TIME", Help: "a duration"},
					{Name: "level", Kind: Text, Value: "LEVEL", Words: []string{"low", "high"}, Help: "low or high"},
				},
				Run: echo,
			},
			{Name: "run", Summary: "starts a program", Args: "PROGRAM [ARG...]", MinArgs: 1, MaxArgs: -1, Starts: true,
				Flags: []Flag{{Name: "all", Help: "everything"}}, Run: echo},
			{Name: "end", Summary: "ends as told", Args: "HOW", MinArgs: 1, MaxArgs: 1, Run: end},
			{Name: "shelf", Summary: "has commands of its own", Commands: []Command{
				{Name: "put", Summary: "prints its command line", Args: "WORD...", MinArgs: 1, MaxArgs: -1, Formats: []string{"text", "json"}, Run: echo,
					Flags: []Flag{{Name: "all", Help: "everything"}}},
				{Name: "end", Summary: "ends as told", Args: "HOW", MinArgs: 1, MaxArgs: 1, Run: end},
			}},
		},
	}
}

func echo(_ context.Context, c *Call) error {
	fmt.Fprintf(c.Stdout, "args %q\n", c.Args)
	fmt.Fprintf(c.Stdout, "format %s color %v quiet %v verbose %v config %q\n", c.Format, c.Color, c.Quiet, c.Verbose, c.Config)
	fmt.Fprintf(c.Stdout, "all %v name %q count %d wait %v level %q given %v\n",
		c.Switch("all"), c.List("name"), c.Integer("count"), c.Period("wait"), c.Text("level"), c.Given("count"))
	return nil
}

func end(ctx context.Context, c *Call) error {
	fmt.Fprintln(c.Stdout, "begun")
	switch c.Args[0] {
	case "found":
		return Outcome(CodeFound)
	case "doubt":
		return Outcome(CodeDoubt)
	case "could-not":
		return CouldNot("reading a file", errors.New("it has\x1b[2J gone"))
	case "plain":
		return errors.New("an error of no known type")
	case "usage":
		return Usage("two jobs in one folder").With("job a", "job b")
	case "panic":
		var none *Call
		none.Quiet = true
	case "flood":
		for range 100_000 {
			if _, err := fmt.Fprintln(c.Stdout, "line"); err != nil {
				return err
			}
		}
		return Outcome(CodeFound)
	case "wait":
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting: %w", ctx.Err())
		case <-time.After(time.Minute):
		}
	}
	return nil
}
