package cli

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Command is a subcommand as data. Help pages come from it.
type Command struct {
	Name    string
	Summary string // one line, lower case
	Args    string // as help shows them: PATH...
	Text    string // paragraphs for the command's help page
	Flags   []Flag
	MinArgs int
	MaxArgs int // -1: any number
	// Starts is set where the first argument is a program to start: what stands
	// behind it is that program's and is not parsed.
	Starts bool
	// Arms is set where a first -- parts the arguments: it stays among them, and
	// flags may follow it.
	Arms bool
	// Finishes is set where an interrupt ends the work as it may: an outcome that
	// comes after one has its report, and --output keeps it.
	Finishes bool
	// Exits are its exit codes for the help page, where they are not only 0 done,
	// 2 usage and 3 could not be done.
	Exits []Exit
	// Formats are the values of --format, the default first.
	Formats []string
	Run     func(context.Context, *Call) error
	// Commands are the command's own subcommands: it has no Run then, and the
	// next word names one of them.
	Commands []Command
}

// Kind of a flag's value.
type Kind int

// Kinds. A List flag may be given several times; numbers and durations are never
// below 0.
const (
	Switch Kind = iota
	Text
	List
	Integer
	Period
)

// Flag is a flag as data.
type Flag struct {
	Name  string // without dashes
	Short string // one letter, or empty
	Kind  Kind
	Value string   // placeholder in help: FILE, LEVEL
	Words []string // the only values allowed, if there are any
	Help  string
	group string // heading in help; empty for the command's own
}

// Call is one parsed command line.
type Call struct {
	Args   []string
	Stdin  io.Reader
	Stdout io.Writer // standard output, or the file of --output
	Stderr io.Writer

	Format  string // of Command.Formats
	Config  string // --config; empty: look for it
	Color   bool   // Stdout shall be coloured
	Screen  bool   // Stdout is a terminal
	Width   int    // columns of the terminal that Stdout is; 0: it is none, or does not say
	Quiet   bool
	Verbose bool

	values map[string]any
}

// Switch, Text, List, Integer and Period return a flag's value, zero if it was
// not given.
func (c *Call) Switch(name string) bool { v, _ := c.values[name].(bool); return v }

// Text returns the value of a Text flag.
func (c *Call) Text(name string) string { v, _ := c.values[name].(string); return v }

// List returns the values of a List flag in their order.
func (c *Call) List(name string) []string { v, _ := c.values[name].([]string); return v }

// Integer returns the value of an Integer flag.
func (c *Call) Integer(name string) int { v, _ := c.values[name].(int); return v }

// Period returns the value of a Period flag.
func (c *Call) Period(name string) time.Duration { v, _ := c.values[name].(time.Duration); return v }

// Given reports whether the flag stands on the command line.
func (c *Call) Given(name string) bool { _, ok := c.values[name]; return ok }

// WriteFile writes a further file as --output is written: by rename, whole or
// not at all.
func (c *Call) WriteFile(name string, write func(io.Writer) error) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	defer f.discard()
	if err := write(f); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return f.commit()
}

const commonGroup = "Common flags"

// common are the flags of every command.
func common(formats []string) []Flag {
	flags := []Flag{
		{Name: "color", Kind: Text, Value: "WHEN", Words: []string{"auto", "always", "never"},
			Help: "auto (default), always or never; NO_COLOR is respected"},
		{Name: "output", Kind: Text, Value: "FILE", Help: "write to FILE, which appears whole or not at all"},
		{Name: "config", Kind: Text, Value: "FILE",
			Help: "configuration to use instead of the nearest trainvet.toml or pyproject.toml"},
		{Name: "quiet", Short: "q", Help: "print nothing when there is nothing to report"},
		{Name: "verbose", Short: "v", Help: "print all there is to say"},
		{Name: "format", Kind: Text, Value: "FORMAT", Words: formats, Help: formatHelp(formats)},
	}
	for i := range flags {
		flags[i].group = commonGroup
	}
	return flags
}

func formatHelp(formats []string) string {
	text := formats[0] + " (default)"
	for _, f := range formats[1:] {
		text += ", " + f
	}
	return text
}

// all are the command's own flags and the common ones.
func (c *Command) all() []Flag {
	return append(c.Flags[:len(c.Flags):len(c.Flags)], common(c.formats())...)
}

func (c *Command) formats() []string {
	if len(c.Formats) == 0 {
		return []string{"text"}
	}
	return c.Formats
}
