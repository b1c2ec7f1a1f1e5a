package order

import (
	"path/filepath"
	"time"
)

// recordClock is how far the stamps of two records of one machine may be wrong:
// its clock may be set a little while the run goes on.
const recordClock = int64(50 * time.Millisecond)

// byCall relates a value that was reported by a call: its record stands in one
// order with the others of its process, and says how much had been printed.
func byCall(e *Event, v *Value) Proof {
	said, since := v.Said.At, v.Said.At
	if v.Said.Since != nil {
		since = *v.Said.Since
	}
	switch {
	case e.At.Source == said.Source:
		return byRecord(e.At.Offset, since.Offset, said.Offset)
	case e.Sink != nil:
		if e.Sink.Source == v.First.Source && e.Sink.Offset != v.Last.Offset {
			return byOffsets(e.Sink.Offset, v)
		}
		return byStamps(e, v)
	case e.At.Source == v.First.Source && e.At.Offset >= v.Last.Offset: // not even its first byte was there
		return Proof{Relation: Before, How: "reported before it was printed, as the record says"}
	case e.At.Source == v.First.Source:
		return byOffsets(e.At.Offset, v)
	}
	return Proof{}
}

func byRecord(event, since, said int64) Proof {
	switch {
	case event > said:
		return Proof{Relation: Before, How: "recorded before it by the same process"}
	case event < since:
		return Proof{Relation: After, How: "recorded after it by the same process"}
	}
	return Proof{}
}

// byOffsets compares how much had been printed at two moments: where it was the
// same, nothing is proven.
func byOffsets(event int64, v *Value) Proof {
	switch {
	case event > v.Last.Offset:
		return Proof{Relation: Before, How: "less had been printed, as the record says"}
	case event < v.First.Offset:
		return Proof{Relation: After, How: "more had been printed, as the record says"}
	}
	return Proof{}
}

// byStamps compares the clocks of two records that were written into one folder,
// and so on one machine.
func byStamps(e *Event, v *Value) Proof {
	at, said := e.At.Time, v.Said.At.Time
	if at == 0 || said == 0 || v.Said.Since != nil || filepath.Dir(e.At.Source) != filepath.Dir(v.Said.At.Source) {
		return Proof{}
	}
	switch {
	case said < at-recordClock:
		return Proof{Relation: Before, How: "recorded earlier, by the clock of one machine"}
	case said > at+recordClock:
		return Proof{Relation: After, How: "recorded later, by the clock of one machine"}
	}
	return Proof{}
}
