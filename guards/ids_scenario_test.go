package guards_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/guards/guardtest"
	"github.com/trainvet/trainvet/guards/record"
)

// A Go trainer's evaluation: ids from a device become text through a lookup
// that drops what it does not know, and the text is scored.

var words = []string{"a", "bad", "cat", "did", "eat", "fine", "good", "hats"}

func decode(ids []int32) string {
	var out []string
	for _, id := range ids {
		if id >= 0 && int(id) < len(words) { // "" for unknown ids, as many tokenizers do
			out = append(out, words[id])
		}
	}
	return strings.Join(out, " ")
}

// wordErrors is a rough word error count: finite whatever comes.
func wordErrors(got, want string) int64 {
	if got == want {
		return 0
	}
	return 1
}

// evaluate decodes batches behind a guard and reports the share of wrong texts.
func evaluate(site *guards.Site, metric *guards.Metric, batches [][]int32) error {
	wrong := int64(0)
	for i, ids := range batches {
		if err := guards.CheckTokenIDs(site, ids); err != nil {
			return fmt.Errorf("batch %d: %w", i, err)
		}
		wrong += wordErrors(decode(ids), "a bad cat did eat")
	}
	return metric.ReportShare(wrong, int64(len(batches)))
}

func healthyBatches(n int) [][]int32 {
	batches := make([][]int32, n)
	for i := range batches {
		batches[i] = []int32{0, 1, 2, 3, 4}
	}
	return batches
}

func wordVocab(t *testing.T) *guards.Vocab {
	t.Helper()
	v, err := guards.NewVocab(len(words), guards.LogitsWidth(16))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// metrics are the values in the record, with their taints.
func metrics(rec *guardtest.Recording) (out []string) {
	for _, r := range rec.Records() {
		if m, ok := r.Body.(*record.Metric); ok {
			out = append(out, fmt.Sprintf("%s %.2f n=%d %s", m.Name, float64(m.Value), m.N, m.Taint))
		}
	}
	return out
}

// O02: from batch 7 on the device gives memory that no kernel wrote.
func TestO02DecodePoison(t *testing.T) {
	for _, id := range []int32{16843009, -100, 1 << 20} {
		rec := guardtest.Record(t)
		site, wer := guards.DecodeSite("evaluate", wordVocab(t)), guards.NewMetric("eval_wer", "val")
		guards.SetStep(100)
		if err := evaluate(site, wer, healthyBatches(20)); err != nil {
			t.Fatal(err)
		}
		guards.SetStep(200)
		bad := healthyBatches(20)
		for i := 7; i < 20; i++ {
			bad[i] = slices.Repeat([]int32{id}, 5)
		}
		err := evaluate(site, wer, bad)
		var fault *guards.Fault
		if !errors.As(err, &fault) || fault.Step != 200 || !strings.HasPrefix(err.Error(), "batch 7: ") {
			t.Errorf("%d: %v", id, err)
		}
		if err := wer.Report(1, 20); !errors.Is(err, guards.ErrFault) { // who goes on all the same
			t.Errorf("%d: the later metric brings %v", id, err)
		}
		if got := metrics(rec); len(got) != 2 || got[0] != "eval_wer 0.00 n=20 " || got[1] != "eval_wer 1.00 n=20 "+fault.Grade {
			t.Errorf("%d: %q", id, got)
		}
	}
}

// Its twin: clean ids, and at another site labels from the CPU that hold -100.
func TestO02Twin(t *testing.T) {
	rec := guardtest.Record(t)
	site, wer := guards.DecodeSite("evaluate", wordVocab(t)), guards.NewMetric("eval_wer", "val")
	masked, err := guards.NewVocab(len(words), guards.Mask(-100))
	if err != nil {
		t.Fatal(err)
	}
	labels := guards.DecodeSite("labels", masked)
	for range 10 {
		if err := evaluate(site, wer, healthyBatches(20)); err != nil {
			t.Fatal(err)
		}
		if err := guards.CheckTokenIDs(labels, []int32{-100, -100, 0, 1, 2, -100}); err != nil {
			t.Fatal(err)
		}
	}
	if got := rec.Codes(); len(got) > 0 || guards.Err() != nil {
		t.Errorf("%v, %v", got, guards.Err())
	}
}

// O03: the guard's error is downgraded to a per-item failure, and the run ends
// well with "attrition 12 %".
func TestO03GuardSwallowed(t *testing.T) {
	rec := guardtest.Record(t)
	site, wer := guards.DecodeSite("evaluate", wordVocab(t)), guards.NewMetric("eval_wer", "val")
	batches := healthyBatches(50)
	for i := range 6 {
		batches[i*8] = []int32{0, 16843009, 2}
	}
	good := int64(0)
	for _, ids := range batches {
		if err := guards.CheckTokenIDs(site, ids); err != nil && strings.Contains(err.Error(), "four bytes") {
			continue // attrition
		}
		good++
	}
	if good != 44 {
		t.Fatalf("%d good", good)
	}
	_ = wer.ReportShare(0, good)
	if got := metrics(rec); len(got) != 1 || got[0] != "eval_wer 0.00 n=44 ids-signature" {
		t.Errorf("%q: the metric behind the swallowed fault is not tainted", got)
	}
	if err := guards.Close(); !errors.Is(err, guards.ErrFault) {
		t.Errorf("the run ends with %v", err)
	}
}

// Its twin: items that are bad, not faults, are dropped on purpose.
func TestO03Twin(t *testing.T) {
	rec := guardtest.Record(t)
	wer := guards.NewMetric("eval_wer", "val")
	inputs := guards.WatchFinite(guards.Input)
	good := int64(0)
	for i := range 50 {
		values := []float32{1, float32(i)}
		if i%10 == 0 {
			values[0] = 1 / (values[1] - values[1]) // a broken file
		}
		if err := guards.CheckFinite(inputs, "", values); errors.Is(err, guards.ErrQuality) {
			continue
		}
		good++
	}
	if err := wer.ReportShare(0, good); err != nil || good != 45 {
		t.Errorf("%d good: %v", good, err)
	}
	if got := metrics(rec); len(got) != 1 || got[0] != "eval_wer 0.00 n=45 " {
		t.Errorf("%q", got)
	}
	if err := guards.Close(); err != nil {
		t.Error(err)
	}
}

// evaluateItems runs an evaluation whose workers recover from panics and go on.
func evaluateItems(metric *guards.Metric, items int, panics func(i int) bool) error {
	n := int64(0)
	for i := range items {
		func() {
			defer func() { _ = recover() }()
			if panics(i) {
				panic("index out of range")
			}
			n++
		}()
	}
	return metric.ReportShare(n, n)
}

// O25: a worker panics on 7 of 64 items, recovers, and the mean is over 57.
func TestO25RecoverDropped(t *testing.T) {
	rec := guardtest.Record(t)
	err := evaluateItems(guards.NewMetric("accuracy", "val").Expect(64), 64, func(i int) bool { return i%9 == 4 })
	if !errors.Is(err, guards.ErrQuality) || errors.Is(err, guards.ErrFault) || !strings.Contains(err.Error(), "57 of 64") {
		t.Errorf("%v", err)
	}
	if got := rec.Codes(); !slices.Equal(got, []string{"incomplete-evaluation"}) {
		t.Errorf("%v", got)
	}
}

// Its twin: the loader drops its last partial batch, and says so.
func TestO25Twin(t *testing.T) {
	rec := guardtest.Record(t)
	const items, batch = 64, 10
	whole := int64(items / batch * batch)
	if err := evaluateItems(guards.NewMetric("accuracy", "val").Expect(whole), int(whole), func(int) bool { return false }); err != nil {
		t.Error(err)
	}
	if got := rec.Codes(); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
