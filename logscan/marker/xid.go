package marker

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

func (c *Catalog) loadXids() error {
	rows, err := embedded("xid.tsv", []string{"code", "class", "scope", "clears", "action", "text"})
	if err != nil {
		return err
	}
	c.xids = make(map[int]Xid, len(rows))
	for _, r := range rows {
		x := Xid{Clears: r.get("clears"), Action: r.get("action"), Text: r.get("text")}
		if x.Code, err = strconv.Atoi(r.get("code")); err != nil {
			return r.err("code", "%q is no number", r.get("code"))
		}
		if _, twice := c.xids[x.Code]; twice {
			return r.err("code", "%d is there already", x.Code)
		}
		class, err := r.oneOf("class", "", append(classes, "by-word")...)
		if err != nil {
			return err
		}
		scope, err := r.oneOf("scope", "", scopes...)
		if err != nil {
			return err
		}
		x.Class, x.Scope = evidence.Class(class), evidence.Scope(scope)
		c.xids[x.Code] = x
	}
	return nil
}

// byWord marks codes whose line says itself whether it is fatal (NVLink 5).
const byWord evidence.Class = "by-word"

// channelRemoved is the code of a consequence: a channel was taken away, be it
// because the job ended (benign) or because of an earlier error, which it names.
const channelRemoved = 45

// xidLine reads `NVRM: Xid (PCI:0000:9c:00 GPU-I:05 GPU-CI:00): 31, pid=1,
// name=python3, text`. Older drivers print no PCI: and no pid.
type xidLine struct {
	c    *Catalog
	head *regexp.Regexp
	pid  *regexp.Regexp
}

func newXidLine(c *Catalog) xidLine {
	return xidLine{
		c:    c,
		head: regexp.MustCompile(`(?i)NVRM: Xid \((?:PCI:)?([0-9a-f:.]+)([^)]*)\): (\d{1,4})\b`),
		pid:  regexp.MustCompile(`(?i)^, pid='?(<unknown>|\d+)'?(?:, name='?(<unknown>|[^,']*)'?)?`),
	}
}

func (x xidLine) find(text []byte, d *Def, to []Match) []Match {
	for _, at := range x.head.FindAllSubmatchIndex(text, maxPerLine) {
		m := d.match(at[0], at[1])
		code, err := strconv.Atoi(string(text[at[6]:at[7]]))
		if err != nil {
			continue
		}
		m.set("code", strconv.Itoa(code))
		m.set("pci", string(text[at[2]:at[3]]))
		m.set("mig", string(bytes.TrimSpace(text[at[4]:at[5]])))
		tail := text[at[7]:]
		if next := bytes.Index(tail, []byte("NVRM: Xid")); next >= 0 {
			tail = tail[:next]
		}
		x.readPid(&m, tail)
		x.classify(&m, code, tail)
		to = append(to, m)
	}
	return to
}

func (x xidLine) readPid(m *Match, tail []byte) {
	p := x.pid.FindSubmatch(tail)
	if p == nil {
		return
	}
	for i, name := range []string{"", "pid", "name"} {
		if i > 0 && len(p[i]) > 0 && !bytes.Equal(p[i], []byte("<unknown>")) {
			m.set(name, string(p[i]))
		}
	}
}

// classify takes class and scope from the code's row; an unknown code is a
// notice. Code 45 is a consequence: benign at the end of a job, and the fault of
// its process where it names the error that it follows.
func (x xidLine) classify(m *Match, code int, tail []byte) {
	row, known := x.c.xids[code]
	if !known {
		m.Class, m.Clears = evidence.Notice, ""
		m.set("action", "unknown code")
		return
	}
	m.Class, m.Scope, m.Clears = row.Class, row.Scope, row.Clears
	m.set("action", row.Action)
	m.Title = fmt.Sprintf("Xid %d: %s", code, row.Text)
	low := strings.ToLower(string(tail))
	if row.Class == byWord {
		m.Class = evidence.Notice
		if fatalWord(low) {
			m.Class = evidence.Fault
		} else {
			m.Clears = ""
		}
	}
	if _, cause, ok := strings.Cut(low, "caused by previous xid "); ok {
		m.set("caused_by", leadingDigits(cause))
	}
	if code == channelRemoved && m.Attrs["caused_by"] != "" {
		x.removedByError(m)
	}
}

// removedByError: an error that the line names took the channel from a process
// that still used it, which can compute nothing more on it. Where the named code
// is no fault of its own, only the end is in doubt.
func (x xidLine) removedByError(m *Match) {
	cause, err := strconv.Atoi(m.Attrs["caused_by"])
	if row, known := x.c.xids[cause]; err == nil && known && row.Class != evidence.Notice {
		m.Class, m.Clears = evidence.Fault, string(evidence.Process)
		return
	}
	m.Class, m.Effect = evidence.Degraded, "completeness"
}

// fatalWord looks for the severity "Fatal"; "Nonfatal" and "Non-fatal" hold it
// too.
func fatalWord(low string) bool {
	for rest := low; ; {
		i := strings.Index(rest, "fatal")
		if i < 0 {
			return false
		}
		before := strings.TrimRight(rest[:i], "-")
		if !strings.HasSuffix(before, "non") && (i == 0 || !isLetter(rest[i-1])) {
			return true
		}
		rest = rest[i+len("fatal"):]
	}
}

func isLetter(b byte) bool { b = lowerByte(b); return 'a' <= b && b <= 'z' }

func leadingDigits(s string) string {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return s[:n]
}
