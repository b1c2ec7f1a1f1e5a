package metric

import (
	"bytes"
	"strconv"
	"strings"
)

// sampleWords are what evaluations count.
var sampleWords = [...]string{
	"samples", "examples", "images", "utterances", "sentences", "instances", "sequences", "documents", "queries", "questions", "items",
}

// spelledSamples finds how many samples a line says that it evaluated: "over 0
// samples", "(1,000 examples)", "evaluated 37 images". A rate ("12 samples/s")
// and a training set's size are none.
func spelledSamples(text []byte) (int64, bool) {
	if !countsSomething(text) { // most records: eleven searches are spared
		return 0, false
	}
	for _, word := range sampleWords {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(word))
			if i < 0 {
				break
			}
			i += at
			at = i + len(word)
			if n, ok := countBefore(text, i); ok && !isRate(text[at:]) && !ofTraining(text[:i]) {
				return n, true
			}
		}
	}
	return 0, false
}

// countsSomething: there is a number with a blank and a letter behind it.
func countsSomething(text []byte) bool {
	for i := 2; i < len(text); i++ {
		if text[i-1] == ' ' && isDigit(text[i-2]) && 'a' <= text[i] && text[i] <= 'z' {
			return true
		}
	}
	return false
}

// countBefore reads the whole number that ends one blank before a place.
func countBefore(text []byte, at int) (int64, bool) {
	if at < 2 || text[at-1] != ' ' {
		return 0, false
	}
	from := at - 1
	for from > 0 && (isDigit(text[from-1]) || text[from-1] == ',') {
		from--
	}
	if from == at-1 || at-from > 20 || (from > 0 && bytes.IndexByte([]byte(" (["), text[from-1]) < 0) {
		return 0, false // part of a fraction, a range, a name
	}
	var n int64
	for _, c := range text[from : at-1] {
		if c != ',' {
			n = n*10 + int64(c-'0')
		}
	}
	return n, text[from] != ','
}

func isRate(rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("/")) || bytes.HasPrefix(rest, []byte(" per ")) || bytes.HasPrefix(rest, []byte("_"))
}

func ofTraining(before []byte) bool {
	words := strings.ToLower(string(before[max(0, len(before)-40):]))
	return strings.Contains(words, "train") || strings.Contains(words, "skip") || strings.Contains(words, "seen")
}

// promise is how many samples the evaluation to come has, as the lines before it
// say: "***** Running Evaluation *****", and below it "  Num examples = 0".
type promise struct {
	line int64 // of the header; 0: none is open
	n    *int64
}

// maxBelowRunning is how many lines below its header the number stands.
const maxBelowRunning = 4

// runningHeader opens a promise at the header of an evaluation.
func (r *Reader) runningHeader(s []byte) {
	if s[0] != '*' || !bytes.Contains(s, []byte("Running ")) {
		return
	}
	r.ahead = promise{}
	if split := r.cat.lex.splitOf(strings.Fields(strings.ToLower(string(s))), ""); split == SplitVal || split == SplitTest {
		r.ahead.line = r.line.No
	}
}

// promised reads the number below such a header.
func (r *Reader) promised() {
	name, value, found := bytes.Cut(r.text, []byte{'='})
	if r.ahead.n != nil || r.line.No-r.ahead.line > maxBelowRunning || !found || string(bytes.TrimSpace(name)) != "Num examples" {
		return
	}
	text := strings.ReplaceAll(string(bytes.TrimSpace(value)), ",", "")
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		r.ahead.n = &n
	}
}
