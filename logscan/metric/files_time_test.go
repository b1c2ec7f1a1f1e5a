package metric

import (
	"testing"
	"time"
)

func TestDateTime(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 3, 1, 10, 0, 0, 250_000_000, time.UTC).UnixNano()
	for _, c := range []struct {
		text       string
		zone       bool
		resolution int64
	}{
		{"2026-03-01T10:00:00.250Z", true, 1e6},
		{"2026-03-01T11:00:00.25+01:00", true, 1e7},
		{"2026-03-01T11:00:00.250+0100", true, 1e6},
		{"2026-03-01 10:00:00,250", false, 1e6},
		{"2026-03-01 10:00:00.250000", false, 1e3},
		{"2026/03/01 10:00:00.250", false, 1e6},
		{"2026-03-01 10:00:00.250 UTC", true, 1e6},
	} {
		ns, resolution, zone, ok := dateTime(c.text)
		if !ok || ns != want || zone != c.zone || resolution != c.resolution {
			t.Errorf("%q: %v %v %v %v", c.text, time.Unix(0, ns).UTC(), resolution, zone, ok)
		}
	}
	for _, text := range []string{"", "yesterday", "0:54:29", "2026-13-01T10:00:00Z", "0001-01-01T00:00:00Z"} {
		if _, _, _, ok := dateTime(text); ok {
			t.Errorf("%q is no date", text)
		}
	}
}

func TestUnixTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text           string
		v              float64
		ns, resolution int64
	}{
		{"1700000000", 1700000000, 1700000000e9, 1e9},
		{"1700000000.25", 1700000000.25, 1700000000250000000, 1e7},
		{"1700000000123", 1700000000123, 1700000000123000000, 1e6},
		{"1700000000123456", 1700000000123456, 1700000000123456000, 1e3},
		{"1700000000123456789", 1700000000123456789, 1700000000123456789, 1},
		{"1.7000000005e+09", 1.7000000005e+09, 1700000000500000000, 1e8},
	} {
		ns, resolution, ok := unixTime(c.text, c.v)
		if !ok || ns != c.ns || resolution != c.resolution {
			t.Errorf("%s: %d %d %v", c.text, ns, resolution, ok)
		}
	}
	for _, v := range []float64{0.43, 120.5, 0, -1, 86400} {
		if _, _, ok := unixTime("x", v); ok {
			t.Errorf("%g is no date", v)
		}
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"0:54:29": 54*time.Minute + 29*time.Second, "54:29.5": 54*time.Minute + 29500*time.Millisecond,
		"1 day, 0:00:01": 24*time.Hour + time.Second, "2 days, 1:00:00": 49 * time.Hour,
	} {
		if ns, ok := duration(text); !ok || ns != int64(want) {
			t.Errorf("%q: %v %v", text, time.Duration(ns), ok)
		}
	}
	for _, text := range []string{"", "12", "a:b", "1:2:3:4", "x day, 1:00", "nan:00"} {
		if _, ok := duration(text); ok {
			t.Errorf("%q is no duration", text)
		}
	}
}
