package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers"
	"github.com/trainvet/trainvet/analyzers/fixes"
	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/plain"
)

// changing refuses what cannot be meant of --fix and --diff.
func changing(call *cli.Call) error {
	switch fix, diff := call.Switch("fix"), call.Switch("diff"); {
	case fix && diff:
		return cli.Usage("vet: --fix makes the changes and --diff makes none: give one of them")
	case call.Switch("drafts") && !diff:
		return cli.Usage("vet: --drafts needs --diff: such a change needs a look before it is made")
	case diff && call.Format != "text":
		return cli.Usage("vet: --diff prints a diff, which has no format %s", call.Format)
	}
	return nil
}

func planFixes(call *cli.Call, res *analyzers.Result) *fixes.Plan {
	generated := map[string]bool{}
	for _, u := range res.Units() {
		for _, f := range u.Generated {
			generated[f] = true
		}
	}
	return fixes.Make(res.Findings, fixes.Options{
		Root: res.Root, Before: res.Began, Drafts: call.Switch("drafts"),
		Generated: func(file string) bool { return generated[file] },
	})
}

// showFixes prints the diff as it is, so that git apply takes it; only to a
// terminal each line is escaped. The exit code tells whether there is one.
func showFixes(call *cli.Call, res *analyzers.Result) error {
	plan := planFixes(call, res)
	tell := skipped(plan)
	diff := plan.Diff()
	for line := range strings.Lines(string(diff)) {
		if call.Width > 0 {
			line = plain.Line(strings.TrimSuffix(line, "\n"), 0) + "\n"
		}
		if _, err := fmt.Fprint(call.Stdout, line); err != nil {
			return cli.CouldNot("printing the diff", err)
		}
	}
	for _, line := range tell {
		fmt.Fprintln(call.Stderr, line)
	}
	if len(diff) > 0 {
		return cli.Outcome(cli.CodeFound)
	}
	return nil
}

// makeFixes writes the fixes and says on standard error what it did.
func makeFixes(call *cli.Call, res *analyzers.Result) (changed bool, err error) {
	plan := planFixes(call, res)
	tell := skipped(plan)
	if len(plan.Files) > 0 {
		tell = slices.Insert(tell, 0, fmt.Sprintf("fixed %d in %s", plan.Fixed, names(plan)))
	}
	if !call.Quiet {
		for _, line := range tell {
			fmt.Fprintln(call.Stderr, line)
		}
	}
	if err := plan.Apply(); err != nil {
		return false, cli.CouldNot("vet", err)
	}
	return len(plan.Files) > 0, nil
}

func names(plan *fixes.Plan) string {
	var list []string
	for _, f := range plan.Files {
		list = append(list, plain.Line(f.Name, 0))
	}
	return strings.Join(list, ", ")
}

func skipped(plan *fixes.Plan) []string {
	var out []string
	for _, s := range plan.Skipped {
		out = append(out, plain.Line("not fixed: "+s.File+": "+s.Why, 0))
	}
	if plan.Waiting > 0 {
		out = append(out, fmt.Sprintf("%d fixes touch the text of another one: run it again for them", plan.Waiting))
	}
	return out
}
