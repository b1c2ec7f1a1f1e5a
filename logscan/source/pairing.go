package source

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

//go:embed pairing.tsv
var pairingTable string

// pairing reads stream, rank, host and job out of paths.
type pairing struct {
	own    []*regexp.Regexp // from Options, before the table
	rows   []*regexp.Regexp
	shapes map[string][]int // rows that match a shape of path
}

// paired is what a path says.
type paired struct {
	stream, host, job string
	attempt           int
	rank              *int
}

func newPairing(opt Options) (*pairing, error) {
	p := &pairing{shapes: map[string][]int{}}
	if opt.Ranks != "" && opt.Ranks != RanksInLines {
		re, err := userPattern("ranks", opt.Ranks, "{rank}")
		if err != nil {
			return nil, err
		}
		p.own = append(p.own, re)
	}
	if opt.Hosts != "" {
		re, err := userPattern("hosts", opt.Hosts, "{host}")
		if err != nil {
			return nil, err
		}
		p.own = append(p.own, re)
	}
	for i, line := range strings.Split(pairingTable, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		_, pattern, ok := strings.Cut(line, "\t")
		if !ok {
			return nil, fmt.Errorf("pairing.tsv line %d: no tab", i+1)
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("pairing.tsv line %d: %w", i+1, err)
		}
		p.rows = append(p.rows, re)
	}
	return p, nil
}

// userPattern turns "log_{rank}.txt" into an expression that matches the end
// of a path.
func userPattern(option, pattern, want string) (*regexp.Regexp, error) {
	if !strings.Contains(pattern, want) {
		return nil, &BadPattern{option, pattern, want}
	}
	quoted := regexp.QuoteMeta(pattern)
	for _, hole := range [...][2]string{
		{`\{rank\}`, `(?P<rank>\d+)`}, {`\{host\}`, `(?P<host>[^/]+)`}, {`\*`, `[^/]*`},
	} {
		quoted = strings.ReplaceAll(quoted, hole[0], hole[1])
	}
	re, err := regexp.Compile(`(?:^|/)` + quoted + `$`)
	if err != nil { // the same hole twice
		return nil, &BadPattern{option, pattern, want}
	}
	return re, nil
}

// of reads a slash path. Paths that differ only in digits are matched against
// all rows once: ten thousand rank files are one shape.
func (p *pairing) of(path string) paired {
	path = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst"), ".xz"))
	var got paired
	for _, re := range p.own {
		got.take(re, path)
	}
	shape := shapeOf(path)
	rows, known := p.shapes[shape]
	if !known {
		for i, re := range p.rows {
			if re.MatchString(path) {
				rows = append(rows, i)
			}
		}
		p.shapes[shape] = rows
	}
	for _, i := range rows {
		got.take(p.rows[i], path)
		if p.rows[i].SubexpIndex("last") > 0 {
			break
		}
	}
	return got
}

// shapeOf writes every digit as 0. How many there are stays: patterns ask.
func shapeOf(path string) string {
	b := []byte(path)
	for i, c := range b {
		if isDigit(c) {
			b[i] = '0'
		}
	}
	return string(b)
}

func (g *paired) take(re *regexp.Regexp, path string) {
	m := re.FindStringSubmatch(path)
	for i, name := range re.SubexpNames() {
		if i >= len(m) || m[i] == "" {
			continue
		}
		switch v := m[i]; {
		case name == "stream" && g.stream == "":
			g.stream = streamName(v)
		case name == "host" && g.host == "":
			g.host = v
		case name == "job" && g.job == "":
			g.job = v
		case name == "attempt":
			g.attempt, _ = strconv.Atoi(v)
		case name == "rank" && g.rank == nil:
			if n, err := strconv.Atoi(v); err == nil {
				g.rank = &n
			}
		}
	}
}

func streamName(v string) string {
	if strings.HasPrefix(v, "e") || v == "stderr" {
		return "err"
	}
	return "out"
}
