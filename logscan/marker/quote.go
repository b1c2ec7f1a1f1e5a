package marker

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// nearBytes and afterBytes bound the text that is looked at beside a match.
const (
	nearBytes  = 48
	afterBytes = 160
)

// quotes knows the words around a marker that make it a quotation (quotes.tsv).
type quotes struct {
	start  rules // of the line, blanks cut off
	before rules // the text before the match
	near   rules // the end of the text before the match
	after  rules // the text behind the match
	key    *regexp.Regexp
}

// rules are alternatives of one place. A log can repeat a marker a million
// times and most lines match no rule, so all that need no literal are tried in
// one pass first, the others only when their literal is there.
type rules struct {
	any   *regexp.Regexp
	plain []rule
	gated []rule
}

type rule struct {
	re     *regexp.Regexp
	reason string
	needs  []string // lower case
}

func (c *Catalog) loadQuotes() error {
	rows, err := embedded("quotes.tsv", []string{"place", "reason", "needs", "pattern"})
	if err != nil {
		return err
	}
	q := &quotes{}
	places := map[string]*rules{"start": &q.start, "before": &q.before, "near": &q.near, "after": &q.after}
	var keys []string
	for _, r := range rows {
		expr := "(?:" + r.get("pattern") + ")"
		if r.get("place") == "event-key" {
			keys = append(keys, expr)
			continue
		}
		rs := places[r.get("place")]
		if rs == nil {
			return r.err("place", "%q is none of start, before, near, after, event-key", r.get("place"))
		}
		if rs == &q.start || rs == &q.after {
			expr = "^" + expr
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return r.err("pattern", "%v", err)
		}
		rs.add(rule{re, r.get("reason"), r.list("needs")})
	}
	for _, rs := range places {
		if rs.any, err = rs.union(rs == &q.start || rs == &q.after); err != nil {
			return fmt.Errorf("joining the patterns of quotes.tsv: %w", err)
		}
	}
	if q.key, err = regexp.Compile(strings.Join(keys, "|")); err != nil {
		return fmt.Errorf("joining the event keys of quotes.tsv: %w", err)
	}
	c.quotes = q
	return nil
}

func (rs *rules) add(r rule) {
	if len(r.needs) > 0 {
		rs.gated = append(rs.gated, r)
	} else {
		rs.plain = append(rs.plain, r)
	}
}

// union joins the plain rules. Those of a start are joined behind one ^, which
// lets the expression give up at the first byte.
func (rs *rules) union(start bool) (*regexp.Regexp, error) {
	var all []string
	for _, r := range rs.plain {
		all = append(all, strings.TrimPrefix(r.re.String(), "^"))
	}
	if len(all) == 0 {
		return nil, nil
	}
	if start {
		return regexp.Compile("^(?:" + strings.Join(all, "|") + ")")
	}
	return regexp.Compile(strings.Join(all, "|"))
}

func (rs *rules) reason(text []byte) string {
	for i := range rs.gated {
		if r := &rs.gated[i]; r.needed(text) && r.re.Match(text) {
			return r.reason
		}
	}
	if rs.any == nil || !rs.any.Match(text) {
		return ""
	}
	for _, r := range rs.plain {
		if r.re.Match(text) {
			return r.reason
		}
	}
	return ""
}

func (r *rule) needed(text []byte) bool {
	for _, n := range r.needs {
		if indexFold(text, n, 0) >= 0 {
			return true
		}
	}
	return false
}

// why says why the match is a quotation, in two or three words; empty: an event.
func (q *quotes) why(line, prev []byte, m Match, ctx Context) string {
	if ctx.Document {
		return "documentation"
	}
	if ctx.Kernel {
		return ""
	}
	if sourceEcho(line, prev) {
		return "source echo"
	}
	if m.Attrs["kernel"] == "only" && !kernelStamp(line[:m.Start]) {
		return "not kernel log"
	}
	// A line that begins with the marker is not begun by anything else.
	if !ctx.Bar && m.Start > indent(line) {
		if r := q.start.reason(bytes.TrimLeft(line, " \t")); r != "" {
			return r
		}
	}
	before, after := line[:m.Start], line[m.End:]
	var room [nearBytes + afterBytes]byte
	near := lowered(room[:nearBytes], before[max(0, len(before)-nearBytes):])
	if r := q.near.reason(near); r != "" {
		return r
	}
	if r := q.before.reason(before); r != "" {
		return r
	}
	if r := q.after.reason(lowered(room[nearBytes:], after)); r != "" {
		return r
	}
	return q.inString(line, m)
}

// lowered copies as much of text as there is room for, in lower case: an
// expression that folds case costs several times one that does not.
func lowered(room, text []byte) []byte {
	n := copy(room, text)
	for i := range n {
		room[i] = lowerByte(room[i])
	}
	return room[:n]
}

// kernelStamp: some lines are printed by scripts too (/proc/version) and prove
// something only when the kernel's own stamp stands before them.
func kernelStamp(before []byte) bool {
	return bytes.Contains(before, []byte("kernel:")) || bytes.Contains(before, []byte(".000000]"))
}

// sourceEcho: Python prints the source line below a traceback's `File "x.py",
// line 3` and below a warning's `x.py:3: UserWarning:`, indented.
func sourceEcho(line, prev []byte) bool {
	p := lastLine(prev)
	if len(p) == 0 || indent(line) < 2 {
		return false
	}
	t := bytes.TrimLeft(p, " \t")
	if bytes.HasPrefix(t, []byte(`File "`)) && bytes.Contains(t, []byte(`", line `)) {
		return indent(line) > indent(p)
	}
	head, _, ok := bytes.Cut(t, []byte("Warning: "))
	return ok && indent(p) == 0 && bytes.Contains(head, []byte(".py:")) && !bytes.ContainsAny(head, "|[")
}
