package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/marker"
)

// faultSearch finds the first fault of a log by the audit, so that what is said
// while a run goes on is what will be said at its end.
type faultSearch struct {
	call     *cli.Call
	cfg      *config.Config
	literals []string
}

func newFaultSearch(call *cli.Call, cfg *config.Config) (*faultSearch, error) {
	rows := rowsOf(cfg)
	if rows.any() {
		if _, err := rows.check(); err != nil {
			return nil, err
		}
	}
	markers, err := marker.Load(rows.markerTable()...)
	if err != nil {
		return nil, cli.Usage("loading the markers: %w", err)
	}
	s := &faultSearch{call: call, cfg: cfg}
	seen := map[string]bool{}
	for _, d := range markers.All() {
		for _, a := range d.Anchors {
			// The class of a marker that a function reads stands in the line: an Xid's is its code's.
			if (d.Class == evidence.Fault || strings.HasPrefix(d.Pattern, "code:")) && !seen[a] {
				seen[a] = true
				s.literals = append(s.literals, a)
			}
		}
	}
	return s, nil
}

func (s *faultSearch) Literals() []string { return s.literals }

func (s *faultSearch) First(log string) (*supervise.Fault, error) {
	opt, err := auditOptions(s.call, s.cfg)
	if err != nil {
		return nil, err
	}
	opt.Workers = 1 // the trainer needs the processors
	ev, err := logscan.Scan(context.Background(), []string{log}, nil, opt)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", log, err)
	}
	var first *supervise.Fault
	for i := range ev.Markers {
		m := &ev.Markers[i]
		if m.Class != evidence.Fault || m.Quoted != "" || first != nil && first.Offset <= m.First.Offset {
			continue
		}
		first = &supervise.Fault{
			Marker: m.ID, Scope: string(m.Scope), Device: m.Attrs["device"], Text: m.Text, Offset: m.First.Offset, Line: m.First.Line,
		}
	}
	return first, nil
}
