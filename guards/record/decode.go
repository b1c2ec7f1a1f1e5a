package record

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// line is the JSON of a record; pointers tell what is missing from what is 0.
type line struct {
	Version int             `json:"v"`
	Type    Type            `json:"type"`
	Wall    *int64          `json:"wall"`
	Mono    *int64          `json:"mono"`
	Pid     *int            `json:"pid"`
	Rank    *int            `json:"rank"`
	Seq     *uint64         `json:"seq"`
	Sink    *Sink           `json:"sink"`
	Data    json.RawMessage `json:"data"`
}

// decode reads a line whose CRC holds. As much of the head as makes sense is
// returned beside an issue, so that the sequence can still be followed.
func decode(text []byte) (Record, *Issue) {
	rec := Record{Head: Head{Rank: None}}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return rec, invalid("%.200s", err)
	}
	rec.Type = l.Type
	if l.Pid != nil {
		rec.Pid = *l.Pid
	}
	if l.Seq != nil {
		rec.Seq = *l.Seq
	}
	if l.Version != Version {
		return rec, &Issue{Kind: NewVersion, Text: fmt.Sprintf("version %d, only %d is known", l.Version, Version)}
	}
	if bad := l.headIssue(); bad != nil {
		return rec, bad
	}
	rec.Wall, rec.Mono, rec.Sink = *l.Wall, *l.Mono, l.Sink
	if l.Rank != nil {
		rec.Rank = *l.Rank
	}
	rec.Body = newBody(l.Type)
	if rec.Body == nil {
		return rec, &Issue{Kind: UnknownType, Text: fmt.Sprintf("no record type %.40q is known", l.Type)}
	}
	if !bytes.HasPrefix(l.Data, []byte("{")) {
		return rec, invalid("a %s record without data", l.Type)
	}
	if err := json.Unmarshal(l.Data, rec.Body); err != nil {
		return rec, invalid("%.200s", err)
	}
	return rec, bodyIssue(rec.Body)
}

func (l *line) headIssue() *Issue {
	switch {
	case l.Wall == nil, l.Mono == nil, l.Pid == nil, l.Seq == nil:
		return invalid("wall, mono, pid or seq is missing")
	case *l.Pid <= 0:
		return invalid("pid %d", *l.Pid)
	case *l.Seq == 0:
		return invalid("sequence number 0")
	case l.Rank != nil && *l.Rank < 0:
		return invalid("rank %d", *l.Rank)
	case l.Sink != nil && l.Sink.Offset < 0:
		return invalid("sink offset %d", l.Sink.Offset)
	}
	return nil
}

// bodyIssue refuses what the audit could not act on. A code that this version
// does not know is fine: the record carries its effect.
func bodyIssue(body Body) *Issue {
	switch d := body.(type) {
	case *Fault:
		return effectIssue(d.Code, d.Effect, d.Scope)
	case *Finding:
		return effectIssue(d.Code, d.Effect, d.Scope)
	case *Count:
		if d.Calls < 0 || d.Values < 0 {
			return invalid("a negative count")
		}
	case *Step:
		if d.Attempted < 0 || d.Applied < 0 || d.Skipped < 0 || d.Planned < 0 || d.Samples < 0 {
			return invalid("a negative number of steps")
		}
	case *Skip:
		if d.Count < 1 {
			return invalid("a skip of %d steps", d.Count)
		}
	case *Metric:
		if d.Name == "" {
			return invalid("a metric without a name")
		}
	case *Held:
		if d.Code == "" || !d.Effect.valid() || d.Group == "" || d.Member == "" {
			return invalid("something held, by nobody or to no end")
		}
	case *Resume:
		return d.issue()
	case *Artifact:
		if d.Op != "writing" && d.Op != "wrote" && d.Op != "read" {
			return invalid("an artifact that was neither written nor read")
		}
	}
	return nil
}

func effectIssue(code string, effect Effect, scope string) *Issue {
	switch {
	case code == "":
		return invalid("a finding without a code")
	case !effect.valid():
		return invalid("no effect %.40q is known", effect)
	}
	switch scope {
	case "process", "device", "node", "job":
		return nil
	}
	return invalid("no scope %.40q is known", scope)
}

func invalid(format string, args ...any) *Issue {
	return &Issue{Kind: Invalid, Text: fmt.Sprintf(format, args...)}
}
