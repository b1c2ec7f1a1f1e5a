package logscan

import "github.com/trainvet/trainvet/logscan/marker"

// storm knows the last lines that held markers. A device-side assert prints a
// line for every thread, alike but for numbers: such a line holds what the line
// of its shape held, and need not be verified a million times.
type storm struct {
	shapes [8]stormLine
	next   int
	active bool // the line before held a marker
}

// stormLine is a shape and the markers of its first line.
type stormLine struct {
	shape uint64
	found []marker.Match
}

// known returns the markers of a line that is alike one of the last.
func (s *storm) known(line []byte) ([]marker.Match, bool) {
	if !s.active {
		return nil, false
	}
	h := foldedHash(line)
	for i := range s.shapes {
		if s.shapes[i].found != nil && s.shapes[i].shape == h {
			return s.shapes[i].found, true
		}
	}
	return nil, false
}

// learn keeps the markers of a line. One that carries numbers of its own in its
// attributes (steps, scales, pids) is never taken for another.
func (s *storm) learn(line []byte, found []marker.Match) {
	s.active = len(found) > 0
	for i := range found {
		if len(found[i].Attrs) > 0 || found[i].Lines > 0 {
			return
		}
	}
	if !s.active {
		return
	}
	s.shapes[s.next] = stormLine{foldedHash(line), found}
	s.next = (s.next + 1) % len(s.shapes)
}

// foldedHash hashes a line with every run of digits folded into one.
func foldedHash(line []byte) uint64 {
	const prime = 1099511628211
	h, digit := uint64(14695981039346656037), false
	for _, c := range line {
		if c >= '0' && c <= '9' {
			if digit {
				continue
			}
			c, digit = '0', true
		} else {
			digit = false
		}
		h = (h ^ uint64(c)) * prime
	}
	return h
}
