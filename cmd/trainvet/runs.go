package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan/verdict"
)

func runsCommand() cli.Command {
	return cli.Command{
		Name:    "runs",
		Summary: "list the recorded runs, or remove old ones",
		Args:    "[prune]",
		Text: `Without an argument the runs are listed, oldest first. prune removes those that
run.retain of the configuration does not keep; a run that goes on, or that nobody
closed, is never removed.`,
		MaxArgs: 1,
		Formats: []string{"text", "json"},
		Flags: []cli.Flag{
			{Name: "dry-run", Help: "with prune: say what would be removed"},
		},
		Run: runRuns,
	}
}

func runRuns(_ context.Context, call *cli.Call) error {
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	all, err := supervise.List(cfg.String("run.dir"))
	switch {
	case err != nil:
		return cli.CouldNot("runs", err)
	case len(call.Args) == 0:
		return listRuns(call, all)
	case call.Args[0] == "prune":
		return pruneRuns(call, cfg, all)
	}
	return cli.Usage("runs: %q is not a thing to do with runs", call.Args[0]).With("there is prune")
}

// runRow is a run in the list.
type runRow struct {
	ID       string           `json:"id"`
	Dir      string           `json:"dir"`
	State    supervise.State  `json:"state"`
	Pid      int              `json:"pid,omitempty"`
	Argv     []string         `json:"argv"`
	Started  *time.Time       `json:"started,omitempty"` // not known where the manifest is gone
	Ended    *time.Time       `json:"ended,omitempty"`
	Ending   string           `json:"ending,omitempty"`
	Code     *int             `json:"code,omitempty"`
	Signal   string           `json:"signal,omitempty"`
	Fault    string           `json:"fault,omitempty"`
	Headline *verdict.Verdict `json:"headline,omitempty"`
	Level    *verdict.Level   `json:"assurance,omitempty"`
	Size     int64            `json:"size"`
	Home     string           `json:"home,omitempty"` // run directory, while the record lies in dir
	Host     string           `json:"host,omitempty"` // on which dir lies
}

func rowOf(l *supervise.Listed) runRow {
	r := runRow{
		ID: l.ID, Dir: l.Dir, State: l.State, Pid: l.Pid, Argv: l.Argv, Started: known(l.Started), Ended: known(l.Ended), Ending: l.Ending,
		Code: l.Code, Signal: l.Signal, Fault: l.Fault, Headline: l.Headline, Size: l.Size,
		Home: l.Home, Host: l.Host,
	}
	if l.Headline != nil {
		r.Level = &l.Level
	}
	return r
}

// known is nil for a time that nobody wrote down.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func listRuns(call *cli.Call, all []supervise.Listed) (err error) {
	rows := make([]runRow, 0, len(all))
	for i := range all {
		rows = append(rows, rowOf(&all[i]))
	}
	if call.Format == "json" {
		enc := json.NewEncoder(call.Stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(rows)
	} else {
		err = printRuns(call.Stdout, rows, call.Quiet)
	}
	if err != nil {
		return cli.CouldNot("printing the runs", err)
	}
	return nil
}

func printRuns(w io.Writer, rows []runRow, quiet bool) error {
	if len(rows) == 0 {
		if quiet {
			return nil
		}
		_, err := fmt.Fprintln(w, "no runs")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "run\tstate\tstarted\tending\tverdict\tcommand")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", plain.Line(r.ID, 60), r.State, startedAt(&r),
			endedHow(&r), verdictOf(&r), plain.Line(strings.Join(r.Argv, " "), 60))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Home == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "the record of %s lies on %s, in %s\n", plain.Line(r.ID, 60), plain.Line(r.Host, 60), plain.Line(r.Dir, maxRunLine)); err != nil {
			return err
		}
	}
	return nil
}

func startedAt(r *runRow) string {
	if r.Started == nil {
		return "-"
	}
	return r.Started.Local().Format("2006-01-02 15:04")
}

func endedHow(r *runRow) string {
	switch {
	case r.Ending == "":
		return "-"
	case r.Signal != "":
		return plain.Line(r.Ending+" "+r.Signal, 40)
	case r.Code != nil:
		return plain.Line(fmt.Sprintf("%s %d", r.Ending, *r.Code), 40)
	}
	return plain.Line(r.Ending, 40)
}

func verdictOf(r *runRow) string {
	switch {
	case r.Headline == nil && r.Fault != "":
		return "fault " + plain.Line(r.Fault, 40)
	case r.Headline == nil:
		return "-"
	case *r.Headline == verdict.Trusted:
		return r.Headline.String() + " (" + r.Level.String() + ")"
	}
	return r.Headline.String()
}

func pruneRuns(call *cli.Call, cfg *config.Config, all []supervise.Listed) error {
	keep := supervise.Retention{Runs: cfg.Int("run.retain.runs"), Age: cfg.Duration("run.retain.age"), Size: cfg.Size("run.retain.size")}
	gone := supervise.Surplus(all, keep, time.Now())
	for _, l := range gone {
		what := "removed"
		if call.Switch("dry-run") {
			what = "would be removed:"
		} else if err := supervise.Remove(l); err != nil {
			return cli.CouldNot("runs prune", err)
		}
		if _, err := fmt.Fprintf(call.Stdout, "%s %s\n", what, plain.Line(l.ID, 60)); err != nil {
			return cli.CouldNot("runs prune", err)
		}
	}
	if len(gone) == 0 && !call.Quiet {
		fmt.Fprintf(call.Stderr, "trainvet: of %d runs none is to be removed\n", len(all))
	}
	return nil
}
