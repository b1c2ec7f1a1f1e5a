package metric

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// fileClock gathers what the time stamps of a file are like.
type fileClock struct {
	evidence.Clock
	last int64
}

// stamp takes a time of the given kind; 0 where the file has another clock.
func (c *fileClock) stamp(kind string, ns, resolution int64, zone bool) int64 {
	if c.Kind == "" {
		c.Kind, c.Zone, c.Resolution = kind, zone, resolution
	}
	if c.Kind != kind {
		return 0
	}
	c.Zone = c.Zone && zone
	c.Resolution = min(c.Resolution, resolution)
	c.Backward = c.Backward || ns < c.last
	c.last = ns
	return ns
}

// The range of times in which a number can be a date: 1990 to 2100.
const (
	minUnix = 631152000
	maxUnix = 4102444800
)

// unixTime reads a number as a date, in the unit that gives a sensible one. A
// duration, as in "time": 0.43, is none.
func unixTime(text string, v float64) (ns, resolution int64, ok bool) {
	for _, unit := range []int64{1e9, 1e6, 1e3, 1} { // seconds, milliseconds, microseconds, nanoseconds
		seconds := v / float64(1e9/unit)
		if seconds < minUnix || seconds > maxUnix {
			continue
		}
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n * unit, unit, true
		}
		sec, frac := math.Modf(seconds)
		ns = int64(sec)*1e9 + int64(math.Round(frac*1e9))
		// A float64 holds a date of today to some hundred nanoseconds.
		return ns, max(1000, unit/pow10(decimals(text))), true
	}
	return 0, 0, false
}

func decimals(text string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, frac, _ := strings.Cut(mantissa, ".")
	e, _ := strconv.Atoi(exponent)
	return max(0, min(9, len(frac)-e))
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// stampLayouts are the spellings of dates; fractions are read where the layout
// has seconds. The flag says that the zone is named.
var stampLayouts = [...]struct {
	layout string
	zone   bool
}{
	{"2006-01-02T15:04:05Z07:00", true},
	{"2006-01-02T15:04:05Z0700", true},
	{"2006-01-02 15:04:05Z07:00", true},
	{"2006-01-02 15:04:05 -0700", true},
	{"2006-01-02 15:04:05 UTC", true},
	{"2006-01-02T15:04:05", false},
	{"2006-01-02 15:04:05", false},
	{"2006/01/02 15:04:05", false},
	{"Mon Jan _2 15:04:05 2006", false},
}

// dateTime reads a date as text.
func dateTime(text string) (ns, resolution int64, zone, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) < len("2006-01-02 15:04:05") || len(text) > 40 {
		return 0, 0, false, false
	}
	for _, l := range stampLayouts {
		t, err := time.Parse(l.layout, text)
		if err != nil || t.Year() < 1990 || t.Year() > 2100 {
			continue
		}
		return t.UnixNano(), int64(time.Second) / pow10(fraction(text)), l.zone, true
	}
	return 0, 0, false, false
}

// fraction counts the digits behind the seconds.
func fraction(text string) int {
	i := strings.LastIndexAny(text, ".,")
	if i < 0 {
		return 0
	}
	n := 0
	for _, c := range text[i+1:] {
		if c < '0' || c > '9' {
			break
		}
		n++
	}
	return min(n, 9)
}

// duration reads "1 day, 0:54:29", "0:54:29.5" or "54:29" as nanoseconds.
func duration(text string) (ns int64, ok bool) {
	text = strings.TrimSpace(text)
	days := 0.0
	if d, rest, found := strings.Cut(text, " day"); found {
		n, err := strconv.Atoi(d)
		if err != nil {
			return 0, false
		}
		days = float64(n)
		text = strings.TrimLeft(strings.TrimPrefix(rest, "s"), ", ")
	}
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds := 0.0
	for _, p := range parts {
		f, err := strconv.ParseFloat(p, 64)
		if err != nil || f < 0 || f > 1e6 || math.IsNaN(f) {
			return 0, false
		}
		seconds = seconds*60 + f
	}
	return elapsedNanos(days*86400 + seconds)
}

// elapsedNanos turns seconds since the start into nanoseconds.
func elapsedNanos(seconds float64) (int64, bool) {
	if !(seconds >= 0 && seconds < 1e9) {
		return 0, false
	}
	return int64(math.Round(seconds * 1e9)), true
}
