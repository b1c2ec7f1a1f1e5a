package gomlxguard_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"

	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
	"github.com/trainvet/trainvet/guards/guardtest"
	"github.com/trainvet/trainvet/guards/record"
)

// probed are sound candidates and broken twins of them.
func probed() *gomlxguard.Probe {
	sum := func(x [][]float64) float64 {
		total := 0.0
		for _, v := range x[0] {
			total += v * v
		}
		return total
	}
	square := func(x []*graph.Node) *graph.Node { return graph.ReduceAllSum(graph.Square(x[0])) }
	broken := func(name string, f func(x []*graph.Node) *graph.Node) gomlxguard.Candidate {
		return gomlxguard.Candidate{Name: name, Shapes: [][]int{{7}}, Reference: sum, Graph: f}
	}
	return &gomlxguard.Probe{Backend: gobackend.GetBackend(), Timeout: 8 * time.Second, Candidates: append(gomlxguard.Candidates(),
		broken("sound", square),
		broken("wrong forward", func(x []*graph.Node) *graph.Node { return graph.MulScalar(square(x), 1.01) }),
		broken("inflated backward", func(x []*graph.Node) *graph.Node { // 2.96 times too large
			y := square(x)
			return graph.Add(y, graph.MulScalar(graph.Sub(y, graph.StopGradient(y)), 1.96))
		}),
		broken("panics", func([]*graph.Node) *graph.Node { panic("shapes do not fit") }),
		broken("aborts", func([]*graph.Node) *graph.Node { go func() { panic("in a worker") }(); select {} }),
		broken("hangs", func(x []*graph.Node) *graph.Node { time.Sleep(time.Hour); return square(x) }),
	)}
}

func TestMain(m *testing.M) {
	if probed().Serve() {
		return
	}
	os.Exit(m.Run())
}

func TestProbe(t *testing.T) {
	r := guardtest.Record(t)
	results, err := probed().Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, texts := map[string]string{}, map[string]string{}
	for _, r := range results {
		got[r.Name], texts[r.Name] = r.Status, r.Text
	}
	same(t, "results", got, map[string]string{
		"product": "pass", "softmax": "pass", "sound": "pass", "wrong forward": "fail", "inflated backward": "fail",
		"panics": "fail", "aborts": "crash", "hangs": "hang",
	})
	if !strings.Contains(texts["aborts"], "in a worker") || !strings.Contains(texts["inflated backward"], "gradient") {
		t.Errorf("the texts are %v", texts)
	}
	passed := map[string]bool{}
	for _, rec := range r.Records() {
		if p, ok := rec.Body.(*record.Probe); ok {
			passed[p.Name] = p.Passed
		}
	}
	for name, status := range got {
		if passed[name] != (status == gomlxguard.ProbePass) {
			t.Errorf("%s is recorded as passed=%v", name, passed[name])
		}
	}
}
