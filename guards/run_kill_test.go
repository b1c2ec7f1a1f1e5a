package guards

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// trainUntilKilled reports metrics for ever and says which ones were written.
func trainUntilKilled() {
	steps, loss := NewSteps("SGD"), NewMetric("loss", "train")
	for n := int64(1); ; n++ {
		SetStep(n)
		steps.Step(n%7 != 0, 32)
		must(loss.Report(1/float64(n), n))
		fmt.Println(n) // the acknowledgement: Report has returned
	}
}

// TestKillLoop kills 200 trainers at moments of no choosing: what was
// acknowledged is in the record, and what was torn is no record.
func TestKillLoop(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 10
	}
	var acknowledged, torn int64
	for i := range kills {
		dir := t.TempDir()
		last := killOne(t, dir, 1+rand.Int64N(300))
		recs, issues := readRecord(t, dir)
		for _, x := range issues {
			if x.Kind != record.Torn {
				t.Fatalf("kill %d: %+v", i, x)
			}
			torn++
		}
		for n, m := range bodies[*record.Metric](recs) {
			if m.N != int64(n+1) || m.Step != m.N || m.Value != record.Float(1/float64(m.N)) {
				t.Fatalf("kill %d: metric %d reads %+v", i, n+1, m)
			}
		}
		if got := int64(len(bodies[*record.Metric](recs))); got < last {
			t.Fatalf("kill %d: %d metrics acknowledged, %d in the record", i, last, got)
		}
		acknowledged += last
	}
	t.Logf("%d kills, %d acknowledged records, all there; %d torn ones", kills, acknowledged, torn)
}

// killOne starts a trainer, kills it behind the given acknowledgement, and
// returns the last one that came through.
func killOne(t *testing.T, dir string, after int64) (last int64) {
	t.Helper()
	cmd := trainer("kill", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	killed := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		n, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			break // the acknowledgement was cut
		}
		last = n
		if n >= after && !killed {
			killed = true
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd.Wait() // it was killed: an error says no more
	if !killed {
		t.Fatalf("the trainer ended by itself after %d", last)
	}
	return last
}
