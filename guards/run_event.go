package guards

import (
	"fmt"

	"github.com/trainvet/trainvet/guards/record"
)

// event is what a detector saw. Its code is a row of effects.tsv, which says
// whose error it is and what it does to the metrics.
type event struct {
	code   string
	site   int    // from addSite; 0: at no site
	name   string // parameter, buffer, optimizer, metric
	value  string // the offending value, exact
	sample int64
	place  int64
	from   int64  // first step that it touches; None: from here on
	until  int64  // last step that it touches; None: without end
	metric string // pattern over the metrics that it touches; empty: all
	scope  string // empty: process
	device string
	text   string // what it means, for people; empty: the text of the grade
	step   int64  // where the trainer stood; report fills it in
	early  bool   // seen before training began, see bound
}

// seen starts an event: all that is not said is not known.
func seen(code string) event {
	return event{code: code, sample: None, place: None, from: None, until: None}
}

// bound says that an event touches the step at which it was seen, and no other.
// Where the step is not known it touches all from here on; but what was seen
// before training began, as an evaluation of the untrained model is, touches
// nothing that training gives.
func (r *Run) bound(e *event) {
	e.from, e.until = r.Step(), r.Step()
	if e.until == None && r.untrained() {
		e.until, e.early = 0, true
	}
}

// untrained tells whether there are optimizers, and none has attempted a step.
func (r *Run) untrained() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.ledgers {
		if s.Attempted() > 0 {
			return false
		}
	}
	return len(r.ledgers) > 0
}

// eventKey is what makes two events the same one again.
type eventKey struct {
	code, name, metric string
	site               int
}

// repeated counts an event, and remembers the steps that no record covers yet.
type repeated struct {
	n       int64
	written int64 // n at the last record
	last    event
	from    int64 // of the oldest event that is not written
}

// maxBounded is how many events that touch only their own steps are written one
// by one, before neighbours share a record.
const maxBounded = 256

// report records an event, and returns what its caller is to return: a *Fault,
// a *Finding, or nil for a doubt, for what is fine, and under the policy
// Record. The first of a kind is written at once, the others are counted.
func (r *Run) report(e event) error {
	g, ok := r.grades[e.code]
	if !ok || g.Class != record.ClassFault {
		return r.find(e)
	}
	r.complete(g, &e)
	f := &Fault{Grade: e.code, Site: r.siteName(e.site), Step: e.step, Rank: r.Rank(),
		Sample: e.sample, Place: e.place, Value: e.value, Text: e.text}
	if g.Effect == record.Poison {
		r.taint.CompareAndSwap(nil, f)
	}
	r.tell(g, e)
	return Policy(r.policy.Load()).fault(f)
}

// find is report for what can be no fault. It stands apart so that `trainvet
// vet`, which follows faults through the code, lets an author do with the error
// of such a check as he likes.
func (r *Run) find(e event) error {
	g, ok := r.grades[e.code]
	if !ok || g.Class == record.ClassFault {
		return r.hookError(fmt.Sprintf("a check reported %q, which is the grade of no finding", e.code))
	}
	r.complete(g, &e)
	switch g.Class {
	case record.ClassFine:
		return nil
	case record.ClassQuality:
		f := &Finding{Grade: e.code, Site: r.siteName(e.site), Name: e.name, Step: e.step, Rank: r.Rank(), Text: e.text}
		r.tell(g, e)
		return Policy(r.policy.Load()).finding(f)
	case record.ClassHook:
		r.hookErrors.Add(1)
	}
	r.tell(g, e)
	return nil
}

// complete fills in what the run knows of an event.
func (r *Run) complete(g record.Grade, e *event) {
	if e.text == "" {
		e.text = g.Text
	}
	if e.step = r.Step(); e.from == None {
		e.from = e.step
	}
}

// hookError records that a guard erred and stepped aside. It is no error of the
// trainer's, so that nil is returned.
func (r *Run) hookError(text string) error {
	e := seen("hook-error")
	e.text = text
	return r.find(e)
}

// tell writes an event, or counts it where its like is written.
func (r *Run) tell(g record.Grade, e event) {
	if r.out == nil {
		return
	}
	key := eventKey{code: e.code, name: e.name, metric: e.metric, site: e.site}
	r.mu.Lock()
	k := r.events[key]
	if k == nil {
		k = &repeated{from: None}
		r.events[key] = k
	}
	n, due := k.again(&e)
	r.mu.Unlock()
	if due {
		r.writeEvent(g, e, n)
	}
}

// again counts an event and says whether to write it. One that reaches to its
// own step only is widened over those before it that were but counted, so that
// each step that was touched lies in some record.
func (k *repeated) again(e *event) (n int64, due bool) {
	k.n++
	if k.written == k.n-1 || e.from == None {
		k.from = e.from
	}
	e.from = k.from
	k.last = *e
	due = powerOfTwo(k.n) || (e.until != None && k.n <= maxBounded)
	if due {
		k.written = k.n
	}
	return k.n, due
}

func (r *Run) writeEvent(g record.Grade, e event, n int64) {
	if n > 1 {
		e.text += fmt.Sprintf(" (%d times so far)", n)
	}
	if e.scope == "" {
		e.scope = "process"
	}
	r.bootMore()
	if g.Class == record.ClassFault {
		r.write(&record.Fault{Code: e.code, Effect: g.Effect, Scope: e.scope, Site: e.site, Device: e.device, Value: e.value,
			Row: e.sample, Column: e.place, Step: e.step, From: e.from, Until: e.until, Metric: e.metric, Text: e.text})
		return
	}
	r.write(&record.Finding{Code: e.code, Class: g.Class, Effect: g.Effect, Scope: e.scope, Site: e.site,
		From: e.from, Until: e.until, Metric: e.metric, Name: e.name, Text: e.text})
}

func powerOfTwo(n int64) bool { return n&(n-1) == 0 }
