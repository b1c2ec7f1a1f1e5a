package guards

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

func TestLedgerCounts(t *testing.T) {
	r, dir := recording(t)
	s := r.Steps("AdamW")
	s.Plan(100)
	for n := range int64(60) {
		r.SetStep(n + 1)
		s.Step(n >= 2, 32)
	}
	if s.Attempted() != 60 || s.Applied() != 58 || s.Skipped() != 2 {
		t.Fatalf("%d attempted, %d applied, %d skipped", s.Attempted(), s.Applied(), s.Skipped())
	}
	r.Close()
	recs, issues := readRecord(t, dir)
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	steps := bodies[*record.Step](recs)
	want := record.Step{Optimizer: "AdamW", Step: 60, Planned: 100, Attempted: 60, Applied: 58, Skipped: 2, Samples: 1920, How: "trainer"}
	if got := *steps[len(steps)-1]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	boot := bodies[*record.Boot](recs)[0]
	if len(boot.Checks) != 1 || boot.Checks[0] != "steps" || len(boot.Off) != 2 {
		t.Errorf("%+v", boot)
	}
}

func TestSameNameSameLedger(t *testing.T) {
	r := New(Options{})
	d, again, g := r.Steps("D"), r.Steps("D"), r.Steps("G")
	if d != again || d == g {
		t.Error("ledgers are told apart by their names")
	}
}

// TestAnyPlaceOfTheLedgerIsNearItsLastRecord: a value that is printed and not
// reported is judged by the last record before it.
func TestAnyPlaceOfTheLedgerIsNearItsLastRecord(t *testing.T) {
	last := int64(0)
	records := 0
	for n := int64(1); n <= 1<<20; n++ {
		if due(n) {
			last = n
			records++
		}
		if float64(last) < 0.94*float64(n) {
			t.Fatalf("at step %d the last record is of step %d", n, last)
		}
	}
	if records > 300 {
		t.Errorf("%d records for a million steps", records)
	}
}

// TestSkipsAreStretches holds the records against a slow oracle: each skipped
// attempt lies in exactly one stretch, and no applied one lies in any.
func TestSkipsAreStretches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		r, dir := recording(t)
		s := r.Steps("")
		var skipped []bool
		p := rng.Float64()
		for range 1 + rng.IntN(400) {
			applied := rng.Float64() > p
			skipped = append(skipped, !applied)
			s.Step(applied, 1)
		}
		r.Close()
		recs, _ := readRecord(t, dir)
		covered := make([]int, len(skipped))
		total := int64(0)
		for _, b := range bodies[*record.Skip](recs) {
			total += b.Count
			if b.Until-b.From+1 != b.Count || b.Total != total {
				t.Fatalf("round %d: %+v after %d", round, b, total)
			}
			for n := b.From; n <= b.Until; n++ {
				covered[n-1]++
			}
		}
		for i, was := range skipped {
			if was != (covered[i] == 1) {
				t.Fatalf("round %d: attempt %d: skipped %v, in %d stretches", round, i+1, was, covered[i])
			}
		}
	}
}

// TestEndlessOverflowWritesLittle: a scale that overflows at every step for ever.
func TestEndlessOverflowWritesLittle(t *testing.T) {
	r, dir := recording(t)
	s := r.Steps("SGD")
	for range 100_000 {
		s.Skip(1, "found-inf")
	}
	r.Close()
	recs, _ := readRecord(t, dir)
	skips := bodies[*record.Skip](recs)
	if last := skips[len(skips)-1]; len(skips) > 64 || last.Until != 100_000 || last.Total != 100_000 {
		t.Errorf("%d skip records, the last %+v", len(skips), last)
	}
}

// TestLoneSkipsForEver: every other step. The totals stay exact, the record bounded.
func TestLoneSkipsForEver(t *testing.T) {
	r, dir := recording(t)
	s := r.Steps("SGD")
	for n := range 40_000 {
		s.Step(n%2 == 0, 1)
	}
	r.Close()
	recs, _ := readRecord(t, dir)
	steps := bodies[*record.Step](recs)
	if n := len(bodies[*record.Skip](recs)); n > maxStretches {
		t.Errorf("%d skip records", n)
	}
	if last := steps[len(steps)-1]; last.Skipped != 20_000 || last.Applied != 20_000 {
		t.Errorf("%+v", last)
	}
}

func TestMetricBringsTheLedgerUpToDate(t *testing.T) {
	r, dir := recording(t)
	s, wer := r.Steps("SGD"), r.Metric("wer", "val")
	for range 1001 {
		s.Apply(1)
	}
	wer.Report(0.5, 10)
	recs, _ := readRecord(t, dir)
	if len(recs) < 2 || recs[len(recs)-2].Body.(*record.Step).Attempted != 1001 {
		t.Errorf("the record before the metric is %+v", recs[len(recs)-2].Body)
	}
}

func TestLedgerOfManyGoroutines(t *testing.T) {
	r, dir := recording(t)
	s := r.Steps("SGD")
	var done sync.WaitGroup
	for g := range 4 {
		done.Add(1)
		go func() {
			defer done.Done()
			for n := range 1000 {
				s.Step((n+g)%9 != 0, 2)
				if n%100 == 0 {
					r.Metric("loss", "train").Report(1, 2)
				}
			}
		}()
	}
	done.Wait()
	r.Close()
	recs, issues := readRecord(t, dir)
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	steps := bodies[*record.Step](recs)
	for _, b := range steps {
		if b.Applied+b.Skipped > b.Attempted {
			t.Fatalf("more than was attempted: %+v", b)
		}
	}
	last := steps[len(steps)-1]
	if last.Attempted != 4000 || last.Applied+last.Skipped != 4000 || last.Samples != 8000 {
		t.Errorf("%+v", last)
	}
	n := int64(0)
	for _, b := range bodies[*record.Skip](recs) {
		n += b.Count
	}
	if n != last.Skipped {
		t.Errorf("%d skips in stretches, %d in the totals", n, last.Skipped)
	}
}

func TestTicksDoNotAllocate(t *testing.T) {
	recorded, _ := recording(t)
	for name, r := range map[string]*Run{"without a record": New(Options{}), "with a record": recorded} {
		s, c := r.Steps("SGD"), r.check("decode", 0, "fill")
		for range 1 << 17 { // the stretch between two records is long from here on
			s.Apply(16)
			c.ran(448)
		}
		if n := testing.AllocsPerRun(1000, func() {
			s.Apply(16)
			s.Step(true, 16)
			c.ran(448)
			r.SetStep(7)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkStepTick(b *testing.B) {
	s := New(Options{}).Steps("SGD")
	b.ReportAllocs()
	for range b.N {
		s.Apply(16)
	}
}

func BenchmarkCountedCheck(b *testing.B) {
	c := New(Options{}).check("decode", 0)
	b.ReportAllocs()
	for range b.N {
		c.ran(448)
	}
}

func BenchmarkMetricReport(b *testing.B) {
	r := New(Options{Dir: b.TempDir()})
	m := r.Metric("loss", "train")
	b.ReportAllocs()
	for range b.N {
		m.Report(0.5, 16)
	}
}
