package evidence

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Merge joins the evidence of disjoint sets of sources. The result does not
// depend on order or grouping: every list is brought into one total order.
func Merge(parts ...Evidence) Evidence {
	m := Evidence{Version: Version}
	sources, tracks := 0, 0
	for i := range parts {
		sources, tracks = sources+len(parts[i].Sources), tracks+len(parts[i].Tracks)
	}
	m.Sources, m.Tracks = slices.Grow(m.Sources, sources), slices.Grow(m.Tracks, tracks)
	for _, p := range parts {
		m.Sources = append(m.Sources, p.Sources...)
		m.Boundaries = append(m.Boundaries, p.Boundaries...)
		m.Markers = append(m.Markers, p.Markers...)
		m.Tracks = append(m.Tracks, p.Tracks...)
		m.Decisions = append(m.Decisions, p.Decisions...)
		m.Artifacts = append(m.Artifacts, p.Artifacts...)
		m.Unread = append(m.Unread, p.Unread...)
		if p.Run != nil {
			m.Run = p.Run.join(m.Run)
		}
	}
	m.sort()
	return m
}

func (e *Evidence) sort() {
	order(e.Sources, func(a, b Source) int { return cmp.Compare(a.ID, b.ID) })
	order(e.Boundaries, func(a, b Boundary) int { return a.At.compare(b.At) })
	order(e.Markers, func(a, b Marker) int {
		return cmp.Or(a.First.compare(b.First), cmp.Compare(a.ID, b.ID))
	})
	order(e.Tracks, func(a, b Track) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), compareFirst(a, b), cmp.Compare(a.Format, b.Format))
	})
	order(e.Decisions, func(a, b Decision) int { return a.At.compare(b.At) })
	order(e.Artifacts, func(a, b Artifact) int {
		return cmp.Or(a.At.compare(b.At), cmp.Compare(a.Path, b.Path))
	})
	order(e.Unread, func(a, b Unread) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Why, b.Why))
	})
	if e.Run != nil {
		e.Run.sort()
	}
}

// order sorts by what people look for, and what that leaves equal by the JSON,
// so that equal places in different parts cannot make the result depend on the
// order of the parts.
func order[T any](list []T, by func(a, b T) int) {
	slices.SortStableFunc(list, func(a, b T) int {
		if c := by(a, b); c != 0 {
			return c
		}
		return bytes.Compare(encoding(a), encoding(b))
	})
}

func encoding(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // plain data always encodes
		return []byte(fmt.Sprintf("%+v", v))
	}
	return b
}

func compareFirst(a, b Track) int {
	if len(a.Rows) == 0 || len(b.Rows) == 0 {
		return cmp.Compare(len(a.Rows), len(b.Rows))
	}
	return a.Rows[0].First.compare(b.Rows[0].First)
}

func (p Pos) compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Source, q.Source), cmp.Compare(p.Offset, q.Offset))
}

// join makes one run of two directories of it (one a node). What is not known
// of one is not known of the whole.
func (r *Run) join(o *Run) *Run {
	if o == nil {
		o = &Run{Manifest: r.Manifest, Trailer: r.Trailer, Sealed: r.Sealed, Loose: r.Loose, HostPids: r.HostPids, Exit: r.Exit}
	}
	return &Run{
		ID:       union(r.ID, o.ID),
		Manifest: r.Manifest && o.Manifest,
		Trailer:  r.Trailer && o.Trailer,
		Sealed:   r.Sealed && o.Sealed,
		Loose:    r.Loose && o.Loose,
		Damage:   slices.Concat(r.Damage, o.Damage),
		Exit:     worseExit(r.Exit, o.Exit),
		Signal:   union(r.Signal, o.Signal),
		Ending:   union(r.Ending, o.Ending),
		BootID:   union(r.BootID, o.BootID),

		Ranks:     ranks(r.Ranks, o.Ranks),
		EndingWhy: slices.Concat(r.EndingWhy, o.EndingWhy),
		Told:      slices.Concat(r.Told, o.Told),
		Before:    slices.Concat(r.Before, o.Before),
		Unseen:    slices.Concat(r.Unseen, o.Unseen),
		World:     max(r.World, o.World),
		Python:    r.Python || o.Python,
		HostPids:  r.HostPids && o.HostPids,

		Boots:     slices.Concat(r.Boots, o.Boots),
		Silent:    slices.Concat(r.Silent, o.Silent),
		Unheard:   slices.Concat(r.Unheard, o.Unheard),
		Findings:  slices.Concat(r.Findings, o.Findings),
		Steps:     slices.Concat(r.Steps, o.Steps),
		Metrics:   slices.Concat(r.Metrics, o.Metrics),
		Artifacts: slices.Concat(r.Artifacts, o.Artifacts),
		Held:      slices.Concat(r.Held, o.Held),
		Resumes:   slices.Concat(r.Resumes, o.Resumes),
		Machine:   slices.Concat(r.Machine, o.Machine),
		Probes:    slices.Concat(r.Probes, o.Probes),
		Ledger:    slices.Concat(r.Ledger, o.Ledger),
		Met:       slices.Concat(r.Met, o.Met),
		NotMet:    slices.Concat(r.NotMet, o.NotMet),
	}
}

func (r *Run) sort() {
	order(r.Damage, strings.Compare)
	order(r.Silent, strings.Compare)
	order(r.Unheard, strings.Compare)
	order(r.Ledger, strings.Compare)
	order(r.Met, strings.Compare)
	order(r.NotMet, strings.Compare)
	order(r.EndingWhy, strings.Compare)
	order(r.Told, strings.Compare)
	order(r.Before, strings.Compare)
	order(r.Unseen, strings.Compare)
	order(r.Boots, func(a, b Boot) int { return cmp.Compare(a.File, b.File) })
	order(r.Findings, func(a, b Finding) int { return a.At.compare(b.At) })
	order(r.Steps, func(a, b StepLedger) int {
		return cmp.Or(cmp.Compare(a.Optimizer, b.Optimizer), cmp.Compare(a.Pid, b.Pid))
	})
	order(r.Metrics, func(a, b Reported) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Split, b.Split), cmp.Compare(a.Pid, b.Pid))
	})
	order(r.Artifacts, func(a, b Artifact) int { return a.At.compare(b.At) })
	order(r.Resumes, func(a, b Resume) int { return a.At.compare(b.At) })
	order(r.Held, func(a, b Held) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Member, b.Member), a.At.compare(b.At))
	})
	order(r.Machine, func(a, b Taint) int { return cmp.Compare(a.Device, b.Device) })
	order(r.Probes, func(a, b Probe) int { return cmp.Compare(a.Device, b.Device) })
}

func ranks(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// union joins two words, each of which may be a union already, by +.
func union(a, b string) string {
	words := append(strings.Split(a, "+"), strings.Split(b, "+")...)
	slices.Sort(words)
	words = slices.Compact(words)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), "+")
}

// worseExit: an exit that is not known stays so; any code outranks 0.
func worseExit(a, b *int) *int {
	switch {
	case a == nil || b == nil:
		return nil
	case *a == 0:
		return b
	case *b == 0:
		return a
	case *a > *b:
		return a
	}
	return b
}
