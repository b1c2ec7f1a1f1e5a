package marker

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// quotes knows the words around a marker that make it a quotation (quotes.tsv).
type quotes struct {
	start  rules // of the line, blanks cut off
	before rules // the text before the match
	after  rules // the text behind the match
	key    *regexp.Regexp
}

// rules are alternatives of one place. Most texts match none, so all are tried
// in one pass first.
type rules struct {
	any  *regexp.Regexp
	each []rule
}

type rule struct {
	re     *regexp.Regexp
	reason string
}

func (c *Catalog) loadQuotes() error {
	rows, err := embedded("quotes.tsv", []string{"place", "reason", "pattern"})
	if err != nil {
		return err
	}
	q := &quotes{}
	places := map[string]*rules{"start": &q.start, "before": &q.before, "after": &q.after}
	union := make(map[string][]string)
	var keys []string
	for _, r := range rows {
		re, err := regexp.Compile(r.get("pattern"))
		if err != nil {
			return r.err("pattern", "%v", err)
		}
		place := r.get("place")
		if place == "event-key" {
			keys = append(keys, "(?:"+r.get("pattern")+")")
			continue
		}
		if places[place] == nil {
			return r.err("place", "%q is none of start, before, after, event-key", place)
		}
		places[place].each = append(places[place].each, rule{re, r.get("reason")})
		union[place] = append(union[place], "(?:"+r.get("pattern")+")")
	}
	for place, rs := range places {
		if rs.any, err = regexp.Compile(strings.Join(union[place], "|")); err != nil {
			return fmt.Errorf("joining the patterns of quotes.tsv: %w", err)
		}
	}
	if q.key, err = regexp.Compile(strings.Join(keys, "|")); err != nil {
		return fmt.Errorf("joining the event keys of quotes.tsv: %w", err)
	}
	c.quotes = q
	return nil
}

func (rs *rules) reason(text []byte) string {
	if !rs.any.Match(text) {
		return ""
	}
	for _, r := range rs.each {
		if r.re.Match(text) {
			return r.reason
		}
	}
	return ""
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
	if !ctx.Bar && !m.Def.lineStart {
		if r := q.start.reason(bytes.TrimLeft(line, " \t")); r != "" {
			return r
		}
	}
	if r := q.before.reason(line[:m.Start]); r != "" {
		return r
	}
	if r := q.after.reason(line[m.End:]); r != "" {
		return r
	}
	return q.inString(line, m)
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
