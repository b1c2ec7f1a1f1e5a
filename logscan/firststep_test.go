package logscan

import (
	"testing"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

func TestScalerThatDisabledItself(t *testing.T) {
	full, cast, half := []string{"float32", "none"}, []string{"float32", "cuda float16"}, []string{"float16", "none"}
	for name, c := range map[string]struct {
		processes [][]string
		log       string
		want      evidence.Class
	}{
		"a training in float32 needs none":     {[][]string{full, full}, "run.log", evidence.Notice},
		"one that casts does":                  {[][]string{cast}, "run.log", evidence.Degraded},
		"one of its processes does":            {[][]string{full, cast}, "run.log", evidence.Degraded},
		"parameters of half precision do":      {[][]string{half}, "run.log", evidence.Degraded},
		"nobody said how it trains":            {nil, "run.log", evidence.Degraded},
		"what another run printed stays so":    {[][]string{full}, "other.log", evidence.Degraded},
		"the ninth kind of process is no less": {append(nine(), cast), "run.log", evidence.Degraded},
	} {
		ev := evidence.Evidence{Markers: []evidence.Marker{{ID: scalerMarker, Class: evidence.Degraded, First: evidence.Pos{Source: c.log, Line: 3}}}}
		addFirstStep(&ev, &evidence.Run{Held: firstSteps(c.processes)}, "run.log")
		if got := ev.Markers[0].Class; got != c.want {
			t.Errorf("%s: class %s, want %s", name, got, c.want)
		}
	}
}

func nine() [][]string {
	var out [][]string
	for i := range 9 {
		out = append(out, []string{"float32", "none", string(rune('1' + i))})
	}
	return out
}

// firstSteps: parameters, autocast and batch of each process.
func firstSteps(processes [][]string) []evidence.Held {
	var out []evidence.Held
	for _, p := range processes {
		h := evidence.Held{Code: firstStepCode, Expect: record.ExpectNothing, Items: []evidence.HeldItem{{Name: "parameters", Value: p[0]}, {Name: "autocast", Value: p[1]}}}
		if len(p) > 2 {
			h.Items = append(h.Items, evidence.HeldItem{Name: "batch", Value: p[2]})
		}
		out = append(out, h)
	}
	return out
}
