package logscan

import (
	"bytes"

	"github.com/trainvet/trainvet/logscan/source"
)

// maxReport is how many lines a report that trainvet printed into a log may have.
const maxReport = 400

var (
	reportHeads = [][]byte{[]byte("TRUSTED ("), []byte("DEGRADED  "), []byte("UNPROVEN  "), []byte("POISONED  ")}
	reportParts = [][]byte{
		[]byte("  "), []byte("Last value before the fault:"), []byte("Last values before the fault:"), []byte("remark: "), []byte("read "),
		[]byte("TRUSTED ("), []byte("DEGRADED  "), []byte("UNPROVEN  "), []byte("POISONED  "),
	}
)

// ourReport follows a report of trainvet's own within a log: the values in it
// are quotations of the log's. Only its own forms of lines are passed over, and
// markers are looked for all the same: a log that forges a head hides nothing
// else.
func (p *textPass) ourReport(l *source.Line) bool {
	if hasAny(l.Text, reportHeads) && bytes.Contains(l.Text, []byte(" claim")) {
		p.report = maxReport
		return true
	}
	if p.report == 0 {
		return false
	}
	p.report--
	if l.Prefix.Time != 0 || l.Prefix.Level != 0 {
		p.report = 0
	}
	return p.report > 0 && (hasAny(l.Text, reportParts) || p.report == maxReport-1) // the second line lists the claims
}

func hasAny(text []byte, heads [][]byte) bool {
	for _, h := range heads {
		if bytes.HasPrefix(text, h) {
			return true
		}
	}
	return false
}
