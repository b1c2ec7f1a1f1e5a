package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/trainvet/trainvet/internal/plain"
)

// App is the program: its commands and its surroundings.
type App struct {
	Name     string
	Summary  string
	Commands []Command
	Stdin    io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
	Env      func(string) string
}

// maxText bounds one line of an error text, in runes.
const maxText = 2000

// Main runs one command line, without the program's name, and returns the exit
// code. It handles signals for the time of the call.
func (a *App) Main(words []string) (exit int) {
	ctx, signals := catch()
	defer signals.release()
	out := &stream{w: a.Stdout}
	defer func() {
		if p := recover(); p != nil {
			a.internalError(p)
			exit = CodeCouldNot
		}
	}()
	err := a.dispatch(ctx, out, words)
	if s := signals.got(); s != 0 && errors.Is(err, context.Canceled) {
		return 128 + s
	}
	a.report(err)
	return worse(code(err), a.lost(out))
}

// worse lets 1 win over 3, and 3 over the rest.
func worse(found, wrote int) int {
	if wrote == CodeOK || found == CodeFound || found == CodeUsage {
		return found
	}
	return wrote
}

// lost reports what could not be written to standard output.
func (a *App) lost(out *stream) int {
	if out.err == nil {
		return CodeOK
	}
	a.report(CouldNot("writing to standard output", out.err))
	return CodeCouldNot
}

func (a *App) dispatch(ctx context.Context, out io.Writer, words []string) error {
	l, err := a.arrange(words)
	switch {
	case err != nil:
		return err
	case l.version:
		l = line{command: "version"}
	case l.command == "" && l.help:
		return a.help(out)
	case l.command == "":
		return Usage("a command is needed").With(summaries(a.Commands)...)
	}
	cmd, err := a.find(l.command)
	switch {
	case err != nil:
		return err
	case l.help:
		return a.commandHelp(out, cmd)
	case len(cmd.Commands) > 0:
		return Usage("%s: a command is needed", cmd.Name).With(summaries(cmd.Commands)...)
	}
	if err := a.count(cmd, l.args); err != nil {
		return err
	}
	return a.parse(ctx, out, cmd, l)
}

func (a *App) count(cmd *Command, args []string) error {
	usage := "usage: " + a.usage(cmd)
	switch {
	case len(args) < cmd.MinArgs:
		return Usage("%s: an argument is missing", cmd.Name).With(usage)
	case cmd.MaxArgs >= 0 && len(args) > cmd.MaxArgs:
		return Usage("%s: %q is an argument too many", cmd.Name, args[cmd.MaxArgs]).With(usage)
	}
	return nil
}

// parse lets urfave/cli take the values and hands them to the command. What
// comes back from the handler never passes through urfave/cli, which would
// interpret it.
func (a *App) parse(ctx context.Context, out io.Writer, cmd *Command, l line) error {
	var result error
	app := &urfave.App{
		Name: a.Name, HideHelp: true, HideVersion: true, DisableSliceFlagSeparator: true,
		Writer: a.Stderr, ErrWriter: a.Stderr,
		ExitErrHandler: func(*urfave.Context, error) {},
		Commands: []*urfave.Command{{
			Name: cmd.Name, HideHelp: true, Flags: convert(cmd.all()),
			OnUsageError: func(_ *urfave.Context, err error, _ bool) error {
				return Usage("%s: %w", cmd.Name, err)
			},
			Action: func(c *urfave.Context) error {
				result = a.run(c.Context, out, cmd, c)
				return nil
			},
		}},
	}
	argv := append([]string{a.Name, cmd.Name}, l.flags...)
	argv = append(append(argv, "--"), l.args...)
	if err := app.RunContext(ctx, argv); err != nil {
		return err
	}
	return result
}

// run opens the output, calls the handler and closes the output.
func (a *App) run(ctx context.Context, out io.Writer, cmd *Command, c *urfave.Context) error {
	call := &Call{
		Args: c.Args().Slice(), Stdin: a.Stdin, Stdout: out, Stderr: a.Stderr,
		Format: c.String("format"), Config: c.String("config"),
		Quiet: c.Bool("quiet"), Verbose: c.Bool("verbose"),
		values: values(cmd.all(), c),
	}
	if call.Format == "" {
		call.Format = cmd.formats()[0]
	}
	name := c.String("output")
	call.Color = a.color(c.String("color"), name)
	_, call.Screen = a.terminal(name)
	call.Width = a.width(name)
	if name == "" || name == "-" {
		return cmd.Run(ctx, call)
	}
	f, err := create(name)
	if err != nil {
		return CouldNot("", err)
	}
	defer f.discard()
	call.Stdout = f
	err = cmd.Run(ctx, call)
	if err != nil && (!quiet(err) || ctx.Err() != nil && !cmd.Finishes) {
		return err // the work ended early; an outcome, of whatever code, has its report
	}
	if wrong := f.commit(); wrong != nil {
		return a.afterwards(err, CouldNot("", wrong))
	}
	return err
}

// afterwards joins the outcome with a failure to write it down.
func (a *App) afterwards(outcome, wrong error) error {
	if code(outcome) == CodeFound {
		a.report(wrong)
		return outcome
	}
	return wrong
}

// report prints an error to standard error. All of it may hold untrusted text.
func (a *App) report(err error) {
	if err == nil || quiet(err) {
		return
	}
	fmt.Fprintf(a.Stderr, "%s: %s\n", a.Name, plain.Line(err.Error(), maxText))
	var usage *UsageError
	if !errors.As(err, &usage) {
		return
	}
	for _, help := range usage.Help {
		fmt.Fprintf(a.Stderr, "  %s\n", plain.Line(help, maxText))
	}
}

func (a *App) internalError(p any) {
	fmt.Fprintf(a.Stderr, "%s: internal error: %s\n", a.Name, plain.Line(fmt.Sprint(p), maxText))
	fmt.Fprintf(a.Stderr, "  this is a fault of %s and says nothing about the run; please report it with these lines\n", a.Name)
	for _, frame := range strings.Split(strings.TrimSpace(string(debug.Stack())), "\n") {
		fmt.Fprintf(a.Stderr, "  %s\n", plain.Line(frame, maxText))
	}
}
