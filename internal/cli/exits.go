package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Exit is an exit code as a command's help page explains it: scripts rely on
// them.
type Exit struct {
	Code string
	Text string
}

// Exits are the usual codes, with the command's own words for those that depend
// on what was asked. An empty text is a code that the command never ends with.
func Exits(ok, found, doubt string) []Exit {
	list := []Exit{{"0", ok}, {"1", found}, {"2", "usage or configuration"}, {"3", "could not be done"}, {"4", doubt}}
	kept := list[:0]
	for _, e := range list {
		if e.Text != "" {
			kept = append(kept, e)
		}
	}
	return kept
}

func (c *Command) exits() []Exit {
	if c.Exits == nil {
		return Exits("done", "", "")
	}
	return c.Exits
}

func exitHelp(out io.Writer, exits []Exit) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\nExit codes:\n")
	for _, e := range exits {
		fmt.Fprintf(w, "  %s\t%s\n", e.Code, e.Text)
	}
	if err := w.Flush(); err != nil {
		return CouldNot("writing help", err)
	}
	return nil
}
