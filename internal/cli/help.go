package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

func (a *App) help(out io.Writer) error {
	fmt.Fprintf(out, "%s: %s\n\nUsage: %s COMMAND [flags] [arguments]\n\nCommands:\n", a.Name, a.Summary, a.Name)
	for _, line := range summaries(a.Commands) {
		fmt.Fprintf(out, "  %s\n", line)
	}
	fmt.Fprintf(out, "\n%q shows the flags and the exit codes of a command.\n", a.Name+" help COMMAND")
	return nil
}

func summaries(list []Command) []string {
	width := 0
	for _, c := range list {
		width = max(width, len(c.Name))
	}
	var lines []string
	for _, c := range list {
		lines = append(lines, fmt.Sprintf("%-*s  %s", width, c.Name, c.Summary))
	}
	return lines
}

func (a *App) usage(c *Command) string {
	if len(c.Commands) > 0 {
		return a.Name + " " + c.Name + " COMMAND [flags] [arguments]"
	}
	return strings.TrimSpace(a.Name + " " + c.Name + " [flags] " + c.Args)
}

func (a *App) commandHelp(out io.Writer, c *Command) error {
	fmt.Fprintf(out, "%s %s: %s\n\nUsage: %s\n", a.Name, c.Name, c.Summary, a.usage(c))
	if c.Text != "" {
		fmt.Fprintf(out, "\n%s\n", strings.TrimSpace(c.Text))
	}
	if len(c.Commands) > 0 {
		return a.subcommandHelp(out, c)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	group := "-"
	for _, f := range c.all() {
		if f.group != group {
			group = f.group
			heading := group
			if heading == "" {
				heading = "Flags"
			}
			fmt.Fprintf(w, "\n%s:\n", heading)
		}
		fmt.Fprintf(w, "  %s\t%s\n", f.left(), f.Help)
	}
	if err := w.Flush(); err != nil {
		return CouldNot("writing help", err)
	}
	return exitHelp(out, c.exits())
}

func (a *App) subcommandHelp(out io.Writer, c *Command) error {
	fmt.Fprint(out, "\nCommands:\n")
	for _, line := range summaries(c.Commands) {
		fmt.Fprintf(out, "  %s\n", line)
	}
	fmt.Fprintf(out, "\n%q shows the flags and the exit codes of a command.\n", a.Name+" help "+c.Name+" COMMAND")
	return nil
}

// left is a flag as help shows it: -q, --quiet or --output FILE.
func (f Flag) left() string {
	s := "    --" + f.Name
	if f.Short != "" {
		s = "-" + f.Short + ", --" + f.Name
	}
	if f.Value != "" {
		s += " " + f.Value
	}
	return s
}
