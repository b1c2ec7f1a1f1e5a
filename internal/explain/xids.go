package explain

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/internal/report"
	"github.com/trainvet/trainvet/logscan/marker"
)

//go:embed xid_actions.tsv
var xidActionsTSV string

// xids are NVIDIA's driver codes, found as "xid-79" or "Xid 79".
type xids struct {
	catalog *marker.Catalog
	actions map[string]string // what NVIDIA's words for a remedy ask for
}

// lastXid is above every code that NVIDIA has published.
const lastXid = 200

func newXids(catalog *marker.Catalog) (xids, error) {
	x := xids{catalog, map[string]string{}}
	for i, row := range strings.Split(strings.TrimSuffix(xidActionsTSV, "\n"), "\n") {
		word, remedy, ok := strings.Cut(row, "\t")
		if !ok {
			return x, fmt.Errorf("xid_actions.tsv:%d: not 2 columns", i+1)
		}
		if i > 0 {
			x.actions[word] = remedy
		}
	}
	return x, nil
}

func (x xids) Name() string { return "NVIDIA Xid codes" }

func (x xids) Codes() []string {
	var out []string
	for n := range lastXid {
		if _, ok := x.catalog.Xid(n); ok {
			out = append(out, "xid-"+strconv.Itoa(n))
		}
	}
	return out
}

func (x xids) Entry(code string) report.Entry {
	n, _ := strconv.Atoi(strings.TrimPrefix(code, "xid-"))
	row, _ := x.catalog.Xid(n)
	e := report.Entry{
		Code: code, Kind: "NVIDIA driver code", What: row.Text, Remedy: nonEmpty(x.actions[row.Action]),
		Effect: fmt.Sprintf("%s, scope %s", row.Class, row.Scope),
	}
	if row.Action != "none" {
		e.Source = "NVIDIA's word for the remedy is " + row.Action
	}
	if row.Clears != "" {
		e.Effect += ", cleared by " + row.Clears
	}
	return e
}
