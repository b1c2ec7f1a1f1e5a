package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/report"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// closeRun judges a run that ended, by the code of audit, writes its receipt,
// marks the machine where a fault calls for it, and prints the five lines. It
// returns the exit code that the verdict asks for.
func closeRun(ctx context.Context, call *cli.Call, cfg *config.Config, out *supervise.Outcome) int {
	res, ev, err := judgeRun(ctx, call, cfg, out.Dir)
	if err != nil {
		settle(call, out)
		fmt.Fprintf(call.Stderr, "trainvet: the run was recorded in %s and could not be audited: %s\n", plain.Line(out.Dir, maxRunLine), plain.Line(err.Error(), maxRunLine))
		if failOn(call, os.Getenv) == "never" {
			return cli.CodeOK
		}
		return cli.CodeCouldNot
	}
	for _, err := range []error{writeReceipt(out.Dir, res), markMachine(ctx, out, ev), markFiles(out, res)} {
		if err != nil {
			fmt.Fprintf(call.Stderr, "trainvet: %s\n", plain.Line(err.Error(), maxRunLine))
		}
	}
	settle(call, out)
	if !call.Quiet {
		fiveLines(call.Stderr, out, res)
		firstStepLine(call.Stderr, ev)
		aloneLine(call.Stderr, ev.Run)
		stood(call.Stderr, out.Dir)
		if call.Switch("trace-backward") {
			traced(call.Stderr, out, ev)
		}
	}
	return runCode(failOn(call, os.Getenv), res, ev.Unread, cfg.Strings("audit.allow"))
}

// aloneLine says of a rank that was recorded by itself where the job is judged.
func aloneLine(w io.Writer, run *evidence.Run) {
	if run != nil && len(run.Ranks) == 1 && run.World > 1 {
		fmt.Fprintf(w, "trainvet: rank %d of %d alone is log only: trainvet audit with the run directories of all ranks judges the job\n", run.Ranks[0], run.World)
	}
}

// firstStepLine says where the training stood at its first step, as its guards saw it.
func firstStepLine(w io.Writer, ev *evidence.Evidence) {
	for _, d := range ev.Decisions {
		if d.Topic != "device" || !strings.Contains(filepath.ToSlash(d.At.Source), "/"+record.Folder+"/") {
			continue
		}
		text := d.Got
		if d.Asked != "" {
			text = "asked " + d.Asked + ", got " + text
		}
		fmt.Fprintf(w, "trainvet: %-12s %s\n", "first step", plain.Line(text, maxRunLine))
		return
	}
}

// settle brings the record home, and says where it stays when it cannot.
func settle(call *cli.Call, out *supervise.Outcome) {
	if err := out.Settle(); err != nil {
		fmt.Fprintf(call.Stderr, "trainvet: %s; the record stays in %s, and trainvet attach brings it home\n",
			plain.Line(err.Error(), maxRunLine), plain.Line(out.Dir, maxRunLine))
	}
}

func judgeRun(ctx context.Context, call *cli.Call, cfg *config.Config, dir string) (*verdict.Result, *evidence.Evidence, error) {
	opt, err := auditOptions(call, cfg)
	if err != nil {
		return nil, nil, err
	}
	res, ev, err := logscan.Audit(ctx, []string{dir}, nil, opt)
	if err != nil {
		return nil, nil, fmt.Errorf("auditing %s: %w", dir, err)
	}
	return res, ev, nil
}

// runCode is audit's, where a claim is as bad as the threshold or worse.
func runCode(threshold string, res *verdict.Result, unread []evidence.Unread, allow []string) int {
	switch threshold {
	case "poisoned":
		allow = []string{"degraded", "unproven"}
		if res.Headline != verdict.Poisoned {
			return cli.CodeOK
		}
	case "unproven":
		allow = append(allow[:len(allow):len(allow)], "degraded")
	case "never":
		return cli.CodeOK
	}
	return outcome(res, unread, allow)
}

// writeReceipt leaves the verdicts beside the evidence. TRUSTED below captured
// is vouched for by nobody: then there is no receipt.
func writeReceipt(dir string, res *verdict.Result) error {
	d, err := rundir.Read(dir)
	if err != nil {
		return fmt.Errorf("writing the receipt: %w", err)
	}
	if d.Trailer == nil {
		return nil // the run is not closed
	}
	r, err := rundir.NewReceipt(*res, d.Trailer.Files)
	if errors.Is(err, rundir.ErrBelowCaptured) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("writing the receipt: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, rundir.TrailerFile))
	if err != nil {
		return fmt.Errorf("writing the receipt: %w", err)
	}
	sum := sha256.Sum256(text)
	r.Run, r.Trainvet, r.Wall, r.Trailer = d.Trailer.ID, readBuild().Version, time.Now().UnixNano(), hex.EncodeToString(sum[:])
	return rundir.WriteReceipt(dir, r)
}

// markMachine writes down what faults of device or node scope leave behind.
func markMachine(ctx context.Context, out *supervise.Outcome, ev *evidence.Evidence) error {
	d, err := rundir.Read(out.Dir)
	if err != nil || d.Manifest == nil {
		return err
	}
	where := machine.Where{Run: out.ID, Machine: d.Manifest.Host.Name, BootID: d.Manifest.BootID, At: time.Now(), Devices: supervise.Targets(ctx, d.Manifest)}
	marked := machine.TaintsOf(ev, where)
	if len(marked) == 0 {
		return nil
	}
	dir, err := machine.Dir(os.Getenv)
	if err != nil {
		return fmt.Errorf("marking the machine: %w", err)
	}
	return machine.Open(dir).Record(marked)
}

// fiveLines is what a run says at its end.
func fiveLines(w io.Writer, out *supervise.Outcome, res *verdict.Result) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "trainvet: %-12s %s\n", name, plain.Line(fmt.Sprintf(format, args...), maxRunLine))
	}
	line("claims", "%s", claimsLine(res))
	line("last before", "%s", lastLine(res))
	line("ending", "%s", endingLine(out))
	line("overhead", "%s", overheadLine(out))
	line("run", "%s", runLine(out))
}

const maxClaims = 4

func claimsLine(res *verdict.Result) string {
	if len(res.Claims) == 0 {
		return res.Headline.String() + ": no metric was found"
	}
	var parts []string
	for _, c := range res.Claims {
		text := c.Verdict.String()
		if c.Verdict == verdict.Trusted {
			text += " (" + c.Level.String() + ")"
		}
		parts = append(parts, text+" "+valueOf(c))
	}
	if more := len(parts) - maxClaims; more > 0 {
		parts = append(parts[:maxClaims], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

func valueOf(s verdict.Subject) string {
	name := s.Printed
	if name == "" {
		name = s.Name
	}
	text := name + " " + s.Text
	if s.Step.Has {
		text += fmt.Sprintf(" (step %g)", s.Step.Last)
	}
	return text
}

func lastLine(res *verdict.Result) string {
	if len(res.LastBefore) == 0 {
		return report.Standing(res)
	}
	var parts []string
	for _, s := range res.LastBefore {
		parts = append(parts, valueOf(s))
	}
	return "the fault: " + strings.Join(parts[:min(len(parts), maxClaims)], "; ")
}

func endingLine(out *supervise.Outcome) string {
	text := out.Ending.Kind
	switch {
	case out.Signal != 0:
		text += ", by " + supervise.SignalName(out.Signal)
	case out.Known:
		text += fmt.Sprintf(", code %d", out.Code)
	}
	text += " after " + out.Took.Round(100*time.Millisecond).String()
	for _, e := range out.Ending.Evidence {
		if !strings.HasPrefix(e, "wait status") { // that stands there already
			text += "; " + e
		}
	}
	if len(out.Survivors) > 0 {
		text += "; still writing: " + strings.Join(out.Survivors, ", ")
	}
	return text
}

func overheadLine(out *supervise.Outcome) string {
	text := fmt.Sprintf("%.2f s of CPU", out.CPU.Seconds())
	if out.ChildCPU >= time.Second { // a share of next to nothing says nothing
		text += fmt.Sprintf(" beside %.2f s of the trainer (%.1f %%)", out.ChildCPU.Seconds(), 100*out.CPU.Seconds()/out.ChildCPU.Seconds())
	}
	return text
}

func runLine(out *supervise.Outcome) string {
	dir := out.Dir
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, dir); err == nil && !strings.HasPrefix(rel, "..") {
			dir = rel
		}
	}
	if len(out.Survivors) > 0 {
		return dir + " is not closed; trainvet attach " + shellWord(dir) + " closes it"
	}
	return dir + "; why: trainvet audit " + shellWord(dir)
}
