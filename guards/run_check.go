package guards

import (
	"slices"
	"sync/atomic"

	"github.com/trainvet/trainvet/guards/record"
)

// check counts how often a check ran, what it looked at and what it tallied.
// Its numbers are totals, so that a record that is lost costs nothing.
type check struct {
	run     *Run
	name    string // what the audit knows it by: decode, finite …
	site    int
	calls   atomic.Int64
	values  atomic.Int64
	names   []string
	tallies []atomic.Int64
}

// check registers a check, which is live from here on. The names of its tallies
// are those of counted grades: fill, unmapped …
func (r *Run) check(name string, site int, tallies ...string) *check {
	c := &check{run: r, name: name, site: site, names: tallies, tallies: make([]atomic.Int64, len(tallies))}
	r.mu.Lock()
	r.checks = append(r.checks, c)
	if !slices.Contains(r.live, name) {
		r.live = append(r.live, name)
	}
	r.mu.Unlock()
	return c
}

// ran counts one run of the check over so many values: two atomic additions,
// and a record when the runs reach a power of two.
func (c *check) ran(values int64) {
	c.values.Add(values)
	if powerOfTwo(c.calls.Add(1)) {
		c.flush()
	}
}

// tally counts n values of the grade with the given index.
func (c *check) tally(i int, n int64) {
	if n <= 0 {
		return
	}
	total := c.tallies[i].Add(n)
	if total == n || highBit(total) != highBit(total-n) {
		c.flush() // it passed a power of two
	}
}

// total is the count of a tally.
func (c *check) total(i int) int64 { return c.tallies[i].Load() }

// flush writes the totals. A count behind the end of the record would be taken
// for damage, and says nothing that the evidence needs.
func (c *check) flush() {
	if c.run.out == nil || c.run.closed.Load() {
		return
	}
	c.run.bootMore()
	c.run.write(c.body())
}

func (c *check) body() *record.Count {
	b := &record.Count{Check: c.name, Site: c.site, Calls: c.calls.Load(), Values: c.values.Load()}
	for i, name := range c.names {
		if n := c.tallies[i].Load(); n > 0 {
			b.Tally = append(b.Tally, record.Tally{Name: name, N: n})
		}
	}
	return b
}
