package logscan

import (
	"context"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// Mentions lists the files that a captured log says were written or read, for
// the supervisor that takes their digests when the run has ended.
func Mentions(ctx context.Context, log string) ([]rundir.Mention, error) {
	ev, err := Scan(ctx, []string{log}, nil, Options{})
	if err != nil {
		return nil, err
	}
	var list []rundir.Mention
	for i := range ev.Artifacts {
		a := &ev.Artifacts[i]
		m := rundir.Mention{Op: a.Op, Path: a.Path, Offset: &a.At.Offset}
		if a.Op == "read" {
			m.Kind = a.Kind
		}
		list = append(list, m)
	}
	return list, nil
}
