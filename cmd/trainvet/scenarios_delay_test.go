package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
)

// delaysFile says how late each scenario's finding was written. It is made anew
// by a run with TRAINVET_DELAYS=1, of what that run found.
const delaysFile = "../../testdata/scenarios/delays.tsv"

const delaysHead = "scenario\tcode\tfault since step\twritten at step\n"

// delay is the step from which on a finding says that its fault was there, and the
// step at which it was written.
type delay struct {
	code        string
	since, said int64
}

func (d *delay) add(f *record.Finding) {
	if since := max(f.From, 1); d.code == "" || since < d.since {
		*d = delay{f.Code, since, f.Said}
	}
}

func (d delay) steps() int64 { return max(d.said-d.since, 0) }

// delays holds runs against the table: no finding comes later than it says.
type delays struct {
	sync.Mutex
	rows map[string]delay
}

func readDelays(t *testing.T) *delays {
	t.Helper()
	d := &delays{rows: map[string]delay{}}
	text, err := os.ReadFile(delaysFile)
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(text), delaysHead), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			continue
		}
		since, err := strconv.ParseInt(f[2], 10, 64)
		require.NoError(t, err, line)
		said, err := strconv.ParseInt(f[3], 10, 64)
		require.NoError(t, err, line)
		d.rows[f[0]] = delay{f[1], since, said}
	}
	if os.Getenv("TRAINVET_DELAYS") != "" {
		t.Cleanup(func() { d.write(t) })
	}
	return d
}

// hold compares one run; of the seeds the first one is the row.
func (d *delays) hold(t *testing.T, scenario string, seed int, got delay) {
	t.Helper()
	d.Lock()
	defer d.Unlock()
	if got.code == "" || got.said == 0 {
		return // found by the audit, or at no step
	}
	if os.Getenv("TRAINVET_DELAYS") != "" {
		if row, ok := d.rows[scenario]; seed == 0 || !ok || got.steps() > row.steps() {
			d.rows[scenario] = got
		}
		return
	}
	if row, ok := d.rows[scenario]; ok {
		require.LessOrEqual(t, got.steps(), row.steps()+1, "%s is written at step %d, its fault is there since step %d", got.code, got.said, got.since)
	}
}

func (d *delays) write(t *testing.T) {
	var lines []string
	for scenario, row := range d.rows {
		lines = append(lines, fmt.Sprintf("%s\t%s\t%d\t%d\n", scenario, row.code, row.since, row.said))
	}
	slices.SortFunc(lines, cmp.Compare)
	require.NoError(t, os.WriteFile(delaysFile, []byte(delaysHead+strings.Join(lines, "")), 0o600))
}
