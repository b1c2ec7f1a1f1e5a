package verdict

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Selector names values by key (C7): `NAME[,NAME…][@CLOCK]`, where CLOCK is a
// step (11500), a range (150..375, 450.., ..100), `epoch:3` (also a range),
// `#2` (the second value of a name in the order of the source) or `last`.
type Selector struct {
	names    []string
	clock    string // step, epoch, nth, last; empty: every value
	from, to float64
	openFrom bool
	openTo   bool
}

// ParseSelector reads a selector. known reports whether a name is a metric's: a
// name that itself holds @ (hit@1) wins over a clock.
func ParseSelector(text string, known func(string) bool) (Selector, error) {
	var s Selector
	names, clock, found := cutLast(text, "@")
	if found && !known(text) && s.parseClock(clock) == nil {
		text = names
	} else {
		s = Selector{}
	}
	for n := range strings.SplitSeq(text, ",") {
		if n = strings.TrimSpace(n); n != "" {
			s.names = append(s.names, n)
		}
	}
	if len(s.names) == 0 {
		return s, fmt.Errorf("selector %q names no metric", text)
	}
	return s, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func (s *Selector) parseClock(c string) error {
	s.clock = "step"
	switch {
	case c == "last":
		s.clock = "last"
		return nil
	case strings.HasPrefix(c, "epoch:"):
		s.clock, c = "epoch", strings.TrimPrefix(c, "epoch:")
	case strings.HasPrefix(c, "#"):
		s.clock, c = "nth", strings.TrimPrefix(c, "#")
	}
	low, high, isRange := strings.Cut(c, "..")
	if !isRange {
		high = low
	}
	var err error
	if s.from, s.openFrom, err = bound(low); err != nil {
		return err
	}
	s.to, s.openTo, err = bound(high)
	return err
}

func bound(text string) (value float64, open bool, err error) {
	if text == "" {
		return 0, true, nil
	}
	value, err = strconv.ParseFloat(text, 64)
	return value, false, err
}

// Select returns the chosen ones of the subjects, which are in source order.
func (s Selector) Select(subjects []Subject) []Subject {
	var out []Subject
	nth := map[string]float64{}
	for _, v := range subjects {
		if !s.named(v.Name) && !s.named(v.Split+"_"+v.Name) {
			continue
		}
		key := v.Name + "\x00" + v.At.Source
		nth[key]++
		switch {
		case s.clock == "" || s.clock == "last":
		case s.clock == "nth" && !s.within(evidence.Span{Has: true, First: evidence.Num(nth[key]), Last: evidence.Num(nth[key])}):
			continue
		case s.clock == "step" && !s.within(v.Step):
			continue
		case s.clock == "epoch" && !s.within(v.Epoch):
			continue
		}
		out = append(out, v)
	}
	if s.clock == "last" && len(out) > 0 {
		out = out[len(out)-1:]
	}
	return out
}

func (s Selector) named(name string) bool {
	for _, n := range s.names {
		if glob(n, name) {
			return true
		}
	}
	return false
}

const half = 1e-9 // counters are printed, not computed

func (s Selector) within(v evidence.Span) bool {
	return v.Has && (s.openFrom || float64(v.Last) >= s.from-half) && (s.openTo || float64(v.First) <= s.to+half)
}

// Missing lists the names of the selector that none of the chosen subjects has.
func (s Selector) Missing(chosen []Subject) []string {
	var out []string
	for _, n := range s.names {
		found := false
		for _, v := range chosen {
			found = found || n == "*" || glob(n, v.Name) || glob(n, v.Split+"_"+v.Name)
		}
		if !found {
			out = append(out, n)
		}
	}
	return out
}
