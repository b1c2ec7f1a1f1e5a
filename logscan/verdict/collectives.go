package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// Collectives of one group are made by all of its ranks, in one order: the nth
// call of one rank meets the nth call of each other one. What they hand over has
// to fit: the same operation on the same type and shape, or, where each rank says
// how much goes to whom, as much as the other side expects.

// call is what one rank handed to one collective.
type call struct {
	head           string // operation, type, shape: alike on all ranks
	sent, received []int  // by place in the group; empty where the head says it
	place          int    // of this rank in the group
	where          string // file and line
	step           int64
}

// Names of what a rank holds of its calls: each one, digests of many, how many
// there were when it ended.
const (
	callNamed  = "call "
	untilNamed = "until "
	callsNamed = "calls"
)

// calledUnlike is the first call that does not meet those of the other ranks.
func calledUnlike(g []member) *evidence.Finding {
	calls := make([]map[int]call, len(g))
	named := map[int]bool{} // calls by number, whatever a record says it is
	for i := range g {
		calls[i] = callsOf(&g[i])
		for n := range calls[i] {
			named[n] = true
		}
	}
	for _, n := range slices.Sorted(maps.Keys(named)) {
		for i := range g {
			a, ok := calls[i][n]
			for k := i + 1; ok && k < len(g); k++ {
				b, both := calls[k][n]
				if !both || a.meets(b) {
					continue
				}
				step := max(min(a.step, b.step), 1)
				return finding(&g[i], fmt.Sprintf("at step %d call %d of %s does not fit: %s", step, n, g[i].Text, unlikeCall(a, b, g[i].Member, g[k].Member)), &step)
			}
		}
	}
	if f := unlikeLater(g); f != nil {
		return f
	}
	return calledMore(g)
}

func callsOf(m *member) map[int]call {
	out := map[int]call{}
	for _, it := range m.Items {
		number, ok := strings.CutPrefix(it.Name, callNamed)
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			c := parseCall(it.Value)
			c.step = it.Step
			out[n] = c
		}
	}
	return out
}

// parseCall reads "head; sent 4 3; received 4 4; place 0 @ file:line".
func parseCall(text string) call {
	c := call{place: -1}
	text, c.where, _ = strings.Cut(text, " @ ")
	parts := strings.Split(text, "; ")
	c.head = parts[0]
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, " ")
		switch name {
		case "sent":
			c.sent = numbers(value)
		case "received":
			c.received = numbers(value)
		case "place":
			if n := numbers(value); len(n) == 1 {
				c.place = n[0]
			}
		}
	}
	return c
}

func numbers(text string) []int {
	var out []int
	for _, f := range strings.Fields(text) {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}

func (c call) meets(o call) bool {
	return c.head == o.head && c.fits(o) && o.fits(c)
}

// fits reports whether what is sent to another rank is what that one expects.
func (c call) fits(o call) bool {
	if !c.within(c.sent, o.place) || !o.within(o.received, c.place) {
		return true // not said
	}
	return c.sent[o.place] == o.received[c.place]
}

func (c call) within(list []int, place int) bool { return place >= 0 && place < len(list) }

func unlikeCall(a, b call, an, bn string) string {
	if a.head != b.head {
		return fmt.Sprintf("%s calls %s%s, %s calls %s%s", an, a.head, a.at(), bn, b.head, b.at())
	}
	if !a.fits(b) {
		return shortOf(a, b, an, bn)
	}
	return shortOf(b, a, bn, an)
}

func shortOf(from, to call, fn, tn string) string {
	return fmt.Sprintf("%s: %s sends %d numbers to %s, which expects %d%s", from.head, fn, from.sent[to.place], tn, to.received[from.place], to.at())
}

func (c call) at() string {
	if c.where == "" {
		return ""
	}
	return " (" + c.where + ")"
}

// unlikeLater holds the digests of the calls that were not written one by one
// against each other.
func unlikeLater(g []member) *evidence.Finding {
	for _, it := range g[0].Items {
		until, ok := strings.CutPrefix(it.Name, untilNamed)
		if !ok {
			continue
		}
		for k := 1; k < len(g); k++ {
			if v, both := g[k].named[it.Step][it.Name]; both && v != it.Value {
				step := max(it.Step, 1)
				return finding(&g[0], fmt.Sprintf("by step %d, of the first %s calls of %s those of %s are not those of %s", step, until, g[0].Text, g[k].Member, g[0].Member), &step)
			}
		}
	}
	return nil
}

// calledMore: ranks that came to their end with unlike numbers of calls. One that
// ended by an error made fewer, and whoever waited for it one more: a note.
func calledMore(g []member) *evidence.Finding {
	total := func(m *member) (string, bool) {
		i := slices.IndexFunc(m.Items, func(it evidence.HeldItem) bool { return it.Name == callsNamed })
		if i < 0 {
			return "", false
		}
		return m.Items[i].Value, true
	}
	first, ok := total(&g[0])
	for k := 1; ok && k < len(g); k++ {
		if n, both := total(&g[k]); both && n != first {
			f := finding(&g[0], fmt.Sprintf("%s made %s of %s, %s made %s", g[0].Member, first, g[0].Text, g[k].Member, n), nil)
			f.Effect = string(record.Note)
			return f
		}
	}
	return nil
}
