package logscan

import (
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Processes that write to one log tear each other's lines. What is left of a line
// may begin within a name ("l_accuracy" of "val_accuracy") or run on into another
// one's ("val_accurval_accuracy"): such a name is no metric of its own.

// tornShare: a torn name is rare beside the whole one.
const tornShare = 8

// column is where a name stands in the tables of a source.
type column struct {
	track, col int
	values     int64
}

// setTornAside makes data of the columns whose names are torn.
func setTornAside(tracks []evidence.Track, known func(word string) bool) {
	names := map[string][]column{}
	total := map[string]int64{}
	for ti := range tracks {
		for ci := range tracks[ti].Columns {
			name := tracks[ti].Columns[ci].Name
			n := int64(0)
			for ri := range tracks[ti].Rows {
				if cells := tracks[ti].Rows[ri].Cells; ci < len(cells) {
					n += cells[ci].N
				}
			}
			names[name] = append(names[name], column{ti, ci, n})
			total[name] += n
		}
	}
	for name, at := range names {
		for whole := range names {
			if total[name] > 1 && total[name]*tornShare > total[whole] || !tornFrom(name, whole, known) && !gluedTo(name, whole, names) || together(tracks, name, whole) {
				continue
			}
			for _, c := range at {
				if role := &tracks[c.track].Columns[c.col].Role; *role != evidence.Diagnostic && *role != evidence.Speed {
					*role = evidence.Item
				}
			}
		}
	}
}

// tornFrom: the name is the end of a longer one, cut within a word.
func tornFrom(name, whole string, known func(string) bool) bool {
	if len(name) >= len(whole) || !strings.HasSuffix(whole, name) || boundary(whole[len(whole)-len(name)-1]) || boundary(name[0]) {
		return false
	}
	first := strings.FieldsFunc(name, func(r rune) bool { return r < 128 && boundary(byte(r)) })
	return len(first) > 1 && !known(first[0])
}

// gluedTo: the name is a whole one behind the beginning of one.
func gluedTo(name, whole string, names map[string][]column) bool {
	rest, ok := strings.CutSuffix(name, whole)
	if !ok || len(rest) < 2 || boundary(rest[len(rest)-1]) || boundary(whole[0]) || !strings.ContainsAny(rest, "_/ .") {
		return false
	}
	for other := range names {
		if len(other) > len(rest) && strings.HasPrefix(other, rest) && !boundary(other[len(rest)]) && other != name {
			return true
		}
	}
	return false
}

func boundary(c byte) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 128)
}

// together reports whether one record holds both.
func together(tracks []evidence.Track, a, b string) bool {
	for ti := range tracks {
		t := &tracks[ti]
		for ri := range t.Rows {
			has := 0
			for ci := range t.Rows[ri].Cells {
				if ci < len(t.Columns) && t.Rows[ri].Cells[ci].N > 0 && (t.Columns[ci].Name == a || t.Columns[ci].Name == b) {
					has++
				}
			}
			if has > 1 {
				return true
			}
		}
	}
	return false
}
