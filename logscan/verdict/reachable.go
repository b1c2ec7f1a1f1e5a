package verdict

import (
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/order"
)

// A job can have ten thousand ranks, each with a log, so nothing may walk all
// events for each row. near holds what is asked for by source, sharing what can
// reach a source; both keep the order of the evidence.

type near struct {
	boundaries map[string][]*evidence.Boundary
	resumes    map[string][]*evidence.Artifact // files that were read to go on from
	decisions  map[string][]*evidence.Decision
	batches    map[string][]*evidence.Marker // that say of a single batch that it was not finite
	tracks     map[string][]int              // indexes of the evidence's
}

func newNear(ev *evidence.Evidence) near {
	n := near{
		boundaries: map[string][]*evidence.Boundary{}, resumes: map[string][]*evidence.Artifact{},
		decisions: map[string][]*evidence.Decision{}, batches: map[string][]*evidence.Marker{}, tracks: map[string][]int{},
	}
	for i := range ev.Boundaries {
		b := &ev.Boundaries[i]
		n.boundaries[b.At.Source] = append(n.boundaries[b.At.Source], b)
	}
	for i := range ev.Artifacts {
		if a := &ev.Artifacts[i]; a.Kind == evidence.ResumeKind {
			n.resumes[a.At.Source] = append(n.resumes[a.At.Source], a)
		}
	}
	for i := range ev.Decisions {
		d := &ev.Decisions[i]
		n.decisions[d.At.Source] = append(n.decisions[d.At.Source], d)
	}
	for i := range ev.Markers {
		if m := &ev.Markers[i]; m.Quoted == "" && m.Attrs["batch"] != "" {
			n.batches[m.First.Source] = append(n.batches[m.First.Source], m)
		}
	}
	for i := range ev.Tracks {
		source := ev.Tracks[i].Source
		n.tracks[source] = append(n.tracks[source], i)
	}
	return n
}

// rankOfGroup is a rank of a job.
type rankOfGroup struct {
	group string
	rank  int
}

// sharing is things of a list by where they may reach: everything of a group, or
// only one rank of it, and their own source in any case.
type sharing struct {
	wide  map[string][]int // by group
	ranks map[rankOfGroup][]int
	all   map[string][]int // by group
	own   map[string][]int // by source
}

func newSharing() sharing {
	return sharing{wide: map[string][]int{}, ranks: map[rankOfGroup][]int{}, all: map[string][]int{}, own: map[string][]int{}}
}

func (s *sharing) add(i int, source, group string, rank *int, wide bool) {
	s.own[source] = append(s.own[source], i)
	s.all[group] = append(s.all[group], i)
	if wide || rank == nil {
		s.wide[group] = append(s.wide[group], i)
		return
	}
	key := rankOfGroup{group, *rank}
	s.ranks[key] = append(s.ranks[key], i)
}

// at lists what may concern a source or a rank, in order.
func (s *sharing) at(source, group string, rank *int) []int {
	if rank == nil {
		return union(s.all[group], s.own[source])
	}
	return union(s.wide[group], s.ranks[rankOfGroup{group, *rank}], s.own[source])
}

func union(lists ...[]int) []int {
	out := slices.Concat(lists...)
	slices.Sort(out)
	return slices.Compact(out)
}

// narrow: a fault or marker of this scope concerns one rank only, if it is known.
func narrow(s evidence.Scope) bool { return s == evidence.Process || s == evidence.Device }

// acting is a marker with an effect, as the order sees it.
type acting struct {
	marker *evidence.Marker
	as     fault
}

// indexActing lists the markers that say what became of the training.
func (j *judge) indexActing() {
	j.actors, j.acting = newSharing(), map[string][]*acting{}
	for i := range j.ev.Markers {
		m := &j.ev.Markers[i]
		if m.Quoted != "" || m.Effect == "" {
			continue
		}
		a := &acting{marker: m, as: fault{marker: m, source: j.source(m.First.Source), event: order.Event{At: m.First, Step: m.Step}}}
		a.as.rank = rankOf(m, a.as.source)
		j.actors.add(len(j.allActing), a.as.source.ID, a.as.source.Group, a.as.rank, !narrow(m.Scope))
		j.allActing = append(j.allActing, a)
	}
}

// actingOn lists the markers with an effect that reach a source.
func (j *judge) actingOn(source string) []*acting {
	if list, ok := j.acting[source]; ok {
		return list
	}
	s := j.source(source)
	list := []*acting{}
	for _, i := range j.actors.at(s.ID, s.Group, s.Rank) {
		if a := j.allActing[i]; j.reaches(&a.as, s) == in {
			list = append(list, a)
		}
	}
	j.acting[source] = list
	return list
}

// produced reports whether the marker, which reaches the row's source, lies
// before the row in its process, or cannot be shown not to.
func (j *judge) produced(a *acting, r ref) bool {
	row := j.row(r)
	if a.marker.First.Source == row.First.Source && j.apart(a.marker, j.track(r), row) {
		return false
	}
	v := j.value(r, false)
	return j.x.Place(&a.as.event, &v).Relation != order.Before
}

// indexSources lists the sources by group and rank, for the faults that reach them.
func (j *judge) indexSources() {
	j.homes = newSharing()
	for i := range j.ev.Sources {
		s := &j.ev.Sources[i]
		j.homes.add(i, s.ID, s.Group, s.Rank, false)
	}
}

// sourcesIn lists the sources in which a fault's own process may have printed.
func (j *judge) sourcesIn(f *fault) []*evidence.Source {
	rank := f.rank
	if !narrow(f.marker.Scope) {
		rank = nil
	}
	var out []*evidence.Source
	for _, i := range j.homes.at(f.source.ID, f.source.Group, rank) {
		if s := &j.ev.Sources[i]; j.reaches(f, s) == in {
			out = append(out, s)
		}
	}
	return out
}

// indexFaults lists the faults by what they reach.
func (j *judge) indexFaults() {
	j.reaching, j.going = newSharing(), map[string][]int{}
	for i, f := range j.faults {
		j.reaching.add(i, f.source.ID, f.source.Group, f.rank, !narrow(f.marker.Scope))
		if f.marker.Goes != evidence.Stops {
			j.going[f.source.Group] = append(j.going[f.source.Group], i)
		}
	}
}

// maxOtherRanks bounds the faults of other processes that a source is judged
// by: the first ones say it all.
const maxOtherRanks = 64

// faultsOf lists the faults that reach a source, once.
func (j *judge) faultsOf(s *evidence.Source) []*fault {
	if list, ok := j.bySource[s.ID]; ok {
		return list
	}
	var ids []int
	for _, i := range j.reaching.at(s.ID, s.Group, s.Rank) {
		if j.reaches(j.faults[i], s) == in {
			ids = append(ids, i)
		}
	}
	others := 0
	for _, i := range j.going[s.Group] {
		if j.reaches(j.faults[i], s) != otherRank {
			continue
		}
		if others++; others > maxOtherRanks {
			break
		}
		ids = append(ids, i)
	}
	slices.Sort(ids)
	list := make([]*fault, len(ids))
	for k, i := range ids {
		list[k] = j.faults[i]
	}
	j.bySource[s.ID] = list
	return list
}
