package metric

import (
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Split is the data that a value was computed on: train, val, test; empty: not said.
type Split = string

// The splits.
const (
	SplitTrain Split = "train"
	SplitVal   Split = "val"
	SplitTest  Split = "test"
)

// standing says how far a name alone shows that a record is one of metrics.
type standing uint8

const (
	unknown  standing = iota // no row: taken only beside known names
	rejected                 // a hyper-parameter, an identifier, a size
	label                    // only split or statistic words: what follows belongs to it
	weak                     // a metric's name that settings or prose use too
	strong                   // a metric's name
)

// counting says which counter a name is, if any.
type counting uint8

const (
	noCounter counting = iota
	stepCounter
	epochCounter
)

// nameInfo is what the lexicon says of one printed name.
type nameInfo struct {
	name     string // normalised
	printed  string
	kind     evidence.Kind
	role     evidence.Role // as the row says; empty: derived from split and record
	split    Split
	window   evidence.Window // as the name says; empty: not said
	final    bool            // labelled best, final
	eval     bool            // usually measured on an evaluation set
	common   bool            // prose uses the word too
	alone    bool            // no setting of that name holds a fraction
	plural   bool            // a counter that may be an announced total
	standing standing
	counter  counting
	cacheID  uint32 // number within its reader's caches
	priority int
	factor   float64 // of the unit that the name holds, to seconds; 0: none
}

type lexRow struct {
	kind     evidence.Kind
	role     evidence.Role
	window   evidence.Window
	common   bool
	alone    bool
	anti     bool
	counter  counting
	priority int
	plural   bool
}

// lexicon is names.tsv, indexed.
type lexicon struct {
	names, seqs, words, cased map[string]lexRow
	suffixes                  []suffixRow
	splits                    map[string]Split
	stats                     map[string]lexRow
	anti, stop, link, null    map[string]bool
	units                     map[string]unit
	labels                    map[string]string // columns that name what a row is of; set: a data set, whose row is an evaluation
	columns                   map[string]string // abbreviations in table headers
	leads                     map[string]string // first words of lines that measure nothing; ":" where one must follow
	anchors, heads, befores   []string          // for EvalAnchors
	longestSeq                int
}

type suffixRow struct {
	end string
	row lexRow
}

// unit is what a unit says of its number.
type unit struct {
	kind    evidence.Kind
	factor  float64
	inverse bool // a rate: its reciprocal is seconds
}

// Normalise gives the name under which a metric is selected: lower case,
// words joined by _, prefix paths kept, units in parentheses taken off.
func Normalise(printed string) string {
	s := strings.Trim(printed, " \t'\"`:=,|*%#$")
	s = strings.ReplaceAll(s, "'s ", " ") // LightGBM: valid_0's auc
	if i := strings.Index(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
		if note := s[i+2 : len(s)-1]; note == "t" {
			s = s[:i] + "_t" // open_clip: Batch (t) is a time, Batch a counter
		} else {
			s = strings.TrimSpace(s[:i])
		}
	}
	s = strings.TrimSuffix(s, "(%)")
	s = withoutUnit(s)
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c == ' ', c == '-', c == '\t':
			c = '_'
		case c == '\'' || c == '"':
			continue
		}
		if c == '_' && len(b) > 0 && (b[len(b)-1] == '_' || b[len(b)-1] == '/') && s[i] != '_' {
			continue
		}
		b = append(b, c)
	}
	return strings.TrimRight(string(b), "_")
}

// Classify says what a name measures. phase is what the record says of
// itself: train, val, test, or empty.
func (c *Catalog) Classify(name, phase string) (evidence.Role, evidence.Kind, Split, evidence.Window) {
	info := c.lex.classify(name)
	split := info.split
	if split == "" {
		split = phase
	}
	return deriveRole(&info, split, false), info.kind, split, info.windowOr(evidence.Instant)
}

// Knows reports whether a word may be part of a metric's name.
func (c *Catalog) Knows(word string) bool {
	l := &c.lex
	_, split := l.splits[word]
	_, stat := l.stats[word]
	_, name := l.names[word]
	_, metric := l.word(word)
	_, column := l.columns[word]
	return split || stat || name || metric || column || l.stop[word]
}

func (n *nameInfo) windowOr(w evidence.Window) evidence.Window {
	if n.window != "" {
		return n.window
	}
	return w
}

// deriveRole gives a value's role. evalRecord: the record holds evaluation
// values and no training loss.
func deriveRole(n *nameInfo, split Split, evalRecord bool) evidence.Role {
	switch n.kind {
	case evidence.KindNorm, evidence.KindScale, evidence.KindRate, evidence.KindSkips,
		evidence.KindCount, evidence.KindMemory:
		return evidence.Diagnostic
	case evidence.KindSpeed, evidence.KindStepTime:
		return evidence.Speed
	}
	if n.role == evidence.Diagnostic || n.role == evidence.Speed {
		return n.role
	}
	switch {
	case n.final && n.standing >= weak, split == SplitTest:
		return evidence.Final
	case split == SplitVal:
		return evidence.Eval
	case n.standing < weak:
		return evidence.Diagnostic
	case split == SplitTrain, n.role == evidence.Series:
		return evidence.Series
	case n.role == evidence.Eval, evalRecord && n.kind != evidence.KindLoss:
		return evidence.Eval
	}
	return evidence.Series
}

// ofSettings: the name of a hyper-parameter. A phrase of prose words alone
// ("results:", "log:") has no name and says nothing about what follows it.
func (n *nameInfo) ofSettings() bool { return n.standing == rejected && n.name != "" }

// classify looks a whole name up.
func (l *lexicon) classify(printed string) nameInfo {
	norm := Normalise(printed)
	info := nameInfo{name: norm, printed: printed, kind: evidence.KindOther}
	if codeFile(norm) || strings.HasPrefix(norm, "__") {
		info.standing = rejected
		return info
	}
	words := splitWords(norm)
	rest := l.strip(&info, words)
	switch {
	case len(rest) == 0:
		info.standing = label
		if row, ok := l.names[norm]; ok {
			info.take(row)
		}
	case l.exact(&info, norm, rest):
	default:
		l.byWords(&info, printed, rest)
	}
	if strings.HasPrefix(norm, "~") && info.window == "" {
		info.window = evidence.Running
	}
	if info.kind == evidence.KindStepTime || info.kind == evidence.KindSpeed {
		info.factor = unitInName(printed)
	}
	if info.common && (info.split != "" || info.final) {
		info.common = false
		if info.standing == weak {
			info.standing = strong
		}
	}
	return info
}

// strip takes split and statistic words off and notes what they say.
func (l *lexicon) strip(info *nameInfo, words []string) []string {
	rest := make([]string, 0, len(words))
	for _, w := range words {
		if s, ok := l.splits[w]; ok {
			if info.split == "" || info.split == SplitTrain {
				info.split = s
			}
			continue
		}
		if row, ok := l.stats[w]; ok && (len(words) > 1) {
			if row.window != "" {
				info.window = row.window
			}
			info.final = info.final || row.role == evidence.Final
			if !l.partOfSeq(w, words) {
				continue
			}
		}
		rest = append(rest, w)
	}
	return rest
}

// partOfSeq: a statistic word that a counter or a sequence needs (global_step, step_time).
func (l *lexicon) partOfSeq(w string, words []string) bool {
	return w == "step" || w == "epoch" || w == "batch" || w == "total" || w == "mean"
}

func (l *lexicon) exact(info *nameInfo, norm string, rest []string) bool {
	bare := strings.Join(rest, "_")
	row, ok := l.names[norm]
	if !ok {
		row, ok = l.names[bare]
	}
	if !ok {
		row, ok = l.seqs[bare]
	}
	if ok {
		info.take(row)
	}
	if ok && row.counter != noCounter && len(bare) < len(norm) && l.names[norm].counter == noCounter {
		info.name = bare
	}
	return ok
}

func (l *lexicon) byWords(info *nameInfo, printed string, rest []string) {
	for n := min(l.longestSeq, len(rest)); n >= 2; n-- {
		for i := len(rest) - n; i >= 0; i-- {
			if row, ok := l.seqs[strings.Join(rest[i:i+n], "_")]; ok {
				info.take(row)
				return
			}
		}
	}
	for _, w := range rest {
		if l.anti[w] {
			info.standing = rejected
			return
		}
	}
	for i := len(rest) - 1; i >= 0; i-- {
		row, ok := l.word(rest[i])
		if !ok {
			continue
		}
		if row.common { // prose does not write "mAP"
			if cased, ok := l.inCase(printed, rest[i]); ok {
				row = cased
			}
		}
		info.take(row)
		return
	}
	if setting(printed) {
		info.standing = rejected
		return
	}
	if row, ok := l.inCase(printed, ""); ok {
		info.take(row)
	}
}

// setting: IMS_PER_BATCH is a key of a configuration, and PER in it is no error rate.
func setting(printed string) bool {
	return strings.Contains(printed, "_") && strings.ToUpper(printed) == printed
}

// inCase finds a word that is known in the letter case in which it is printed;
// word: this one only.
func (l *lexicon) inCase(printed, word string) (lexRow, bool) {
	for _, w := range strings.FieldsFunc(printed, notWordByte) {
		if row, ok := l.cased[w]; ok && (word == "" || strings.EqualFold(w, word)) {
			return row, true
		}
	}
	return lexRow{}, false
}

func (l *lexicon) word(w string) (lexRow, bool) {
	if row, ok := l.words[w]; ok {
		return row, true
	}
	// numbered heads and streams: loss0, d0.loss_cls, acc_3
	if t := strings.TrimRight(w, "0123456789"); t != w && len(t) > 1 {
		if row, ok := l.words[t]; ok {
			return row, true
		}
	}
	for _, s := range l.suffixes {
		if len(w) > len(s.end) && strings.HasSuffix(w, s.end) {
			return s.row, true
		}
	}
	return lexRow{}, false
}

func (n *nameInfo) take(row lexRow) {
	if row.anti {
		n.standing = rejected
		return
	}
	n.kind, n.counter, n.priority, n.common, n.plural, n.alone = row.kind, row.counter, row.priority, row.common, row.plural, row.alone
	if row.window != "" {
		n.window = row.window
	}
	n.eval = row.role == evidence.Eval
	n.role = row.role
	n.standing = weak
	if isQuality(row.kind) && !row.common {
		n.standing = strong
	}
}

func notWordByte(r rune) bool {
	switch r {
	case '_', '/', '.', '-', '@', ':', ' ', '(', ')', '[', ']', '~', '\'', '"', ',', '<', '>', '%':
		return true
	}
	return false
}

// splitWords cuts a normalised name into its words.
func splitWords(norm string) []string {
	return strings.FieldsFunc(norm, notWordByte)
}

// unitInName reads the unit of a time that stands in its name: "(ms)", "in s".
func unitInName(printed string) float64 {
	switch {
	case strings.Contains(printed, "(ms)"), strings.HasSuffix(printed, "_ms"), strings.HasSuffix(printed, " in ms"),
		strings.HasPrefix(printed, "ms/"), strings.HasPrefix(printed, "ms_"):
		return 1e-3
	case strings.Contains(printed, "(us)"):
		return 1e-6
	}
	return 0
}

func parseFactor(s string) (factor float64, inverse bool, err error) {
	switch s {
	case "":
		return 0, false, nil
	case "inverse":
		return 1, true, nil
	}
	factor, err = strconv.ParseFloat(s, 64)
	return factor, false, err
}

// codeFile: "train.py:301" is a place in source text.
func codeFile(norm string) bool {
	i := strings.LastIndexByte(norm, '.')
	if i <= 0 {
		return false
	}
	switch norm[i+1:] {
	case "py", "pyx", "cc", "cpp", "cu", "cuh", "c", "h", "hpp", "go", "rs", "java", "ipynb", "sh", "jl":
		return true
	}
	return false
}

// withoutUnit takes off a unit that is spelled out behind a name: "timing in s".
func withoutUnit(s string) string {
	for _, end := range []string{" in s", " in ms", " in sec", " in seconds"} {
		if t := strings.TrimSuffix(s, end); t != s {
			return t
		}
	}
	return s
}
