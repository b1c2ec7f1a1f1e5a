package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// Ranks do not ask each other while they run: each writes what it holds, and
// here they are compared.

const (
	// staysApart: looks at which ranks that nothing keeps together have to
	// differ until it is called a drift.
	staysApart = 3
	// sameData: steps at which two ranks have to see the same batch.
	sameData = 4
	// maxNamed bounds what is named of one difference.
	maxNamed = 4
)

// fromRanks gives the findings that lie between members of a group.
func fromRanks(run *evidence.Run) []evidence.Finding {
	var found []evidence.Finding
	for i := 0; i < len(run.Held); {
		end := i
		for end < len(run.Held) && run.Held[end].Group == run.Held[i].Group && run.Held[end].Code == run.Held[i].Code {
			end++
		}
		end = max(end, i+1)
		if f := compareGroup(latest(run.Held[i:end])); f != nil {
			found = append(found, *f)
		}
		i = end
	}
	return found
}

// latest keeps of each member what its last process held: a job that was
// started anew has counted anew.
func latest(held []evidence.Held) []member {
	var out []member
	for i := range held {
		h := &held[i]
		if n := len(out) - 1; n >= 0 && out[n].Member == h.Member {
			if h.At.Time >= out[n].At.Time {
				out[n] = newMember(h)
			}
			continue
		}
		out = append(out, newMember(h))
	}
	return out
}

// member is what one rank held: by step the digest of all, and what is named.
type member struct {
	*evidence.Held
	whole map[int64]string
	named map[int64]map[string]string
}

func newMember(h *evidence.Held) member {
	m := member{Held: h, whole: map[int64]string{}, named: map[int64]map[string]string{}}
	for _, it := range h.Items {
		if it.Name == "" {
			m.whole[it.Step] = it.Value
			continue
		}
		if m.named[it.Step] == nil {
			m.named[it.Step] = map[string]string{}
		}
		m.named[it.Step][it.Name] = it.Value
	}
	return m
}

func compareGroup(g []member) *evidence.Finding {
	if len(g) < 2 {
		return nil
	}
	switch g[0].Expect {
	case record.ExpectEqual, record.ExpectStays:
		if len(g[0].whole) == 0 {
			return unlikeFacts(g)
		}
		return driftedApart(g)
	case record.ExpectApart:
		return sawTheSame(g)
	case record.ExpectMeets:
		return calledUnlike(g)
	}
	return nil
}

// looks are the steps at which at least two members looked, and whether all
// of these held the same.
type look struct {
	step int64
	same bool
	pair [2]int // the first two that do not
}

func looks(g []member) []look {
	var all []look
	steps := map[int64]bool{}
	for i := range g {
		for s := range g[i].whole {
			steps[s] = true
		}
	}
	for s := range steps {
		l, first := look{step: s, same: true}, -1
		n := 0
		for i := range g {
			v, ok := g[i].whole[s]
			if !ok {
				continue
			}
			n++
			if first < 0 {
				first = i
			} else if l.same && v != g[first].whole[s] {
				l.same, l.pair = false, [2]int{first, i}
			}
		}
		if n > 1 {
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b look) int { return int(a.step - b.step) })
	return all
}

// driftedApart: what should be the same differs, and does so until the end.
// Ranks that are brought together now and then (averages every so many steps)
// differ between, and may end so.
func driftedApart(g []member) *evidence.Finding {
	all := looks(g)
	from := len(all)
	for from > 0 && !all[from-1].same {
		from--
	}
	if from == len(all) {
		return nil
	}
	last := all[len(all)-1].step
	if g[0].Expect == record.ExpectStays && (from == 0 || len(all)-from < staysApart) {
		return nil // never the same: each rank has a model of its own
	}
	if apart := longestApart(all[:from]); apart > 0 && last-all[from].step < 2*apart {
		return nil
	}
	step := max(all[from].step, 1)
	a, b := &g[all[from].pair[0]], &g[all[from].pair[1]]
	text := fmt.Sprintf("%s are not the same on %s and %s, from step %d on", a.Text, a.Member, b.Member, step)
	if names := unlike(a, b, all[from].step); len(names) > 0 {
		text += ": first in " + names[0]
	}
	return finding(a, text, &step)
}

// longestApart is the longest stretch, in steps, between two looks at which all
// held the same.
func longestApart(all []look) int64 {
	var longest, began int64
	apart := false
	for _, l := range all {
		switch {
		case !l.same && !apart:
			apart, began = true, l.step
		case l.same && apart:
			apart = false
			longest = max(longest, l.step-began)
		}
	}
	return longest
}

// unlike lists what differs by name at the first look from a step on at which
// both named their parts, in the order in which they were written.
func unlike(a, b *member, from int64) []string {
	at := int64(-1)
	var names []string
	for _, it := range a.Items {
		if it.Name == "" || it.Step < from || (at >= 0 && it.Step != at) {
			continue
		}
		if v, ok := b.named[it.Step][it.Name]; ok && v != it.Value {
			at = it.Step
			names = append(names, it.Name)
		}
	}
	return names
}

// unlikeFacts names what differs of what does not change with the steps.
func unlikeFacts(g []member) *evidence.Finding {
	var parts []string
	for _, it := range g[0].Items {
		for i := 1; i < len(g); i++ {
			if v, ok := g[i].named[it.Step][it.Name]; ok && v != it.Value {
				parts = append(parts, fmt.Sprintf("%s is %s on %s and %s on %s", it.Name, it.Value, g[0].Member, v, g[i].Member))
				break
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	if more := len(parts) - maxNamed; more > 0 {
		parts = append(parts[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return finding(&g[0], g[0].Text+": "+strings.Join(parts, "; "), nil)
}

// sawTheSame: two members saw the same at each step, and not one thing all the time.
func sawTheSame(g []member) *evidence.Finding {
	for i := range g {
		for k := i + 1; k < len(g); k++ {
			if first, n, ok := alike(&g[i], &g[k]); ok {
				text := fmt.Sprintf("%s and %s see the same %s at each of %d steps", g[i].Member, g[k].Member, g[i].Text, n)
				first = max(first, 1)
				return finding(&g[i], text, &first)
			}
		}
	}
	return nil
}

func alike(a, b *member) (first int64, n int, ok bool) {
	values := map[string]bool{}
	first = -1
	for s, v := range a.whole {
		w, both := b.whole[s]
		if !both {
			continue
		}
		if v != w {
			return 0, 0, false
		}
		n++
		values[v] = true
		if first < 0 || s < first {
			first = s
		}
	}
	return first, n, n >= sameData && len(values)*2 > n
}

func finding(of *member, text string, from *int64) *evidence.Finding {
	f := &evidence.Finding{Code: of.Code, Class: string(record.ClassQuality), Effect: of.Effect, Scope: evidence.Job, Text: text, At: of.At, Sink: of.Sink, Count: 1}
	if from != nil {
		step := float64(*from)
		f.From = &step
	}
	return f
}
