package probe

import (
	_ "embed"
	"strconv"
	"strings"
)

// knownTSV lists operators that were reported to be wrong on every device of a
// kind, in a range of versions of a package; an empty bound is open. A fix that
// was merged counts only where the installed version lies beyond the range.
//
//go:embed known.tsv
var knownTSV string

// known is a row of it.
type known struct {
	check, kind, pkg, from, through, reference, text string
}

func knownRows() []known {
	var out []known
	for row := range strings.Lines(knownTSV) {
		f := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(f) == 7 && f[0] != "check" {
			out = append(out, known{f[0], f[1], f[2], f[3], f[4], f[5], f[6]})
		}
	}
	return out
}

// explain turns a failure that every device of the kind shows in this version
// into what it is: no fault of this machine. A version that cannot be read is
// taken for none of those listed.
func (r *Result) explain(kind string, facts Facts) {
	if r.Status != Fail {
		return
	}
	versions := map[string]string{"torch": facts.Torch, "torchvision": facts.Vision}
	for _, k := range knownRows() {
		if k.check != r.Name || k.kind != kind || !within(versions[k.pkg], k.from, k.through) {
			continue
		}
		r.Status = Known
		r.Text += "; known of " + k.pkg + " " + versions[k.pkg] + " on " + kind + " (" + k.reference + "): " + k.text
		return
	}
}

// within compares versions by their numbers, as far as the bound has them: 0.28
// holds 0.28.1.
func within(version, from, through string) bool {
	v, ok := numbers(version)
	if !ok {
		return false
	}
	if f, ok := numbers(from); ok && order(v, f) < 0 {
		return false
	}
	if t, ok := numbers(through); ok && order(v[:min(len(v), len(t))], t) > 0 {
		return false
	}
	return true
}

// numbers reads 2.6.0+cu124 as 2, 6, 0.
func numbers(version string) (out []int, ok bool) {
	version, _, _ = strings.Cut(version, "+")
	for _, part := range strings.Split(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		out = append(out, n)
	}
	return out, len(out) > 0
}

func order(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] - b[i]
		}
	}
	return len(a) - len(b)
}
