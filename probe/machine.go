package probe

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trainvet/trainvet/internal/machine"
)

// Look is how the machine itself is looked at, without Python.
type Look struct {
	Before func(context.Context) machine.Before // stuck processes, stale contexts, kernel lines
	States []machine.State                      // of the machine and the devices that are probed
	Folder string                               // where checkpoints would go
	Now    func() time.Time
}

// lowDisk is room for one checkpoint of a small model.
const lowDisk = 2 << 30

// firstDay is before any day on which this program can run: a clock that shows
// less was never set.
func firstDay() time.Time { return time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) }

// lookAtMachine makes the checks of the group machine.
func lookAtMachine(ctx context.Context, look Look, checks []Check) []Result {
	wanted := map[string]bool{}
	for _, c := range checks {
		if c.Group == "machine" {
			wanted[c.Name] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	before := look.Before(ctx)
	var out []Result
	for _, r := range []Result{
		of(before, machine.SeenStuck, "stuck-processes", Warn, "none"),
		of(before, machine.SeenContext, "stale-contexts", Fail, "none"),
		of(before, machine.SeenKernel, "kernel-log", Warn, "no fault is logged"),
		look.boot(before), look.disk(), look.clock(), look.taints(),
	} {
		if r.Group = "machine"; wanted[r.Name] {
			out = append(out, r)
		}
	}
	return out
}

// of makes a result of what a preflight has seen of a kind.
func of(b machine.Before, kind machine.SeenKind, name string, found Status, none string) Result {
	r := Result{Name: name, Status: Pass, Text: none}
	var texts []string
	for _, s := range b.Seen {
		if s.Kind == kind {
			texts = append(texts, s.Text)
		}
	}
	for _, s := range b.Unseen {
		if s.Kind == kind {
			r.Status, r.Text = Skip, s.Text
		}
	}
	if n := len(texts); n > 0 {
		r.Status, r.Text, r.Evidence = found, fmt.Sprintf("%d found", n), texts[n-1]
	}
	return r
}

// boot says whether the machine was booted since it was last probed.
func (l *Look) boot(b machine.Before) Result {
	r := Result{Name: "boot", Status: Pass}
	if b.BootID == "" {
		r.Status, r.Text = Skip, "the kernel's boot id cannot be read"
		return r
	}
	r.Text = "not probed before"
	for i := range l.States {
		if p, ok := l.States[i].LastProbe(); ok {
			r.Text = "the same boot as at the last probe"
			if p.BootID != b.BootID {
				r.Text = "booted since the last probe of " + p.At.Format(time.DateOnly)
			}
		}
	}
	return r
}

func (l *Look) disk() Result {
	r := Result{Name: "disk", Status: Pass}
	free, err := diskFree(l.Folder)
	if err != nil {
		r.Status, r.Text = Skip, err.Error()
		return r
	}
	r.Text = fmt.Sprintf("%.1f GiB free", float64(free)/(1<<30))
	r.Numbers = map[string]any{"free": free}
	if free < lowDisk {
		r.Status = Warn
		r.Text += ": a checkpoint may be cut short"
	}
	return r
}

// clock: a clock that went back makes the order of logs by time a wrong one.
func (l *Look) clock() Result {
	r := Result{Name: "clock", Status: Pass, Text: "plausible"}
	now := l.Now()
	if now.Before(firstDay()) {
		r.Status, r.Text = Warn, "the clock shows "+now.Format(time.DateOnly)+": it was never set"
	}
	for i := range l.States {
		if t := l.States[i].Updated; t.After(now.Add(time.Minute)) {
			r.Status, r.Text = Warn, "the clock went back: something was recorded here at "+t.Format(time.RFC3339)
		}
	}
	return r
}

func (l *Look) taints() Result {
	r := Result{Name: "taints", Status: Pass, Text: "none"}
	var texts []string
	for i := range l.States {
		for _, t := range l.States[i].Uncleared() {
			texts = append(texts, fmt.Sprintf("%s: %s since %s", l.States[i].Key.ID, t.Marker, t.Since.Format(time.DateOnly)))
		}
	}
	if n := len(texts); n > 0 {
		r.Status, r.Text, r.Evidence = Warn, fmt.Sprintf("%d not cleared: two whole passes in a row clear them", n), strings.Join(texts, "; ")
	}
	return r
}
