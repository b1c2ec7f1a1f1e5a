package curve

// Text is what is written of a check, one row of checks.tsv.
type Text struct {
	Code  string // of its notes
	Title string
	Do    string
}

// Texts gives the checks in the order of the data file.
func Texts() []Text {
	var out []Text
	for _, f := range table(checksTSV, 3) {
		out = append(out, Text{f[0], f[1], f[2]})
	}
	return out
}
