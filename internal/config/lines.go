package config

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// lines maps the path of each key, as join writes it, to the line on which it
// stands.
type lines map[string]int

// join makes one string of a path; list elements are written as "name[2]".
func join(path []string) string { return strings.Join(path, "\x00") }

// locate reads the positions of all keys of a text that is valid TOML.
func locate(text []byte) lines {
	var (
		p     unstable.Parser
		found = lines{}
		table []string
		count = map[string]int{}
	)
	p.Reset(text)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			path, _ := found.note(&p, nil, e.Key())
			table = follow(count, path)
		case unstable.ArrayTable:
			path, line := found.note(&p, nil, e.Key())
			table = follow(count, path[:len(path)-1])
			table = append(table, path[len(path)-1])
			name := join(table)
			count[name]++
			table[len(table)-1] += "[" + strconv.Itoa(count[name]-1) + "]"
			found[join(table)] = line
		case unstable.KeyValue:
			found.keyValue(&p, table, e)
		}
	}
	return found
}

// follow turns the names of lists of tables into their last element.
func follow(count map[string]int, path []string) []string {
	var out []string
	for _, name := range path {
		out = append(out, name)
		if n := count[join(out)]; n > 0 {
			out[len(out)-1] += "[" + strconv.Itoa(n-1) + "]"
		}
	}
	return out
}

func (l lines) keyValue(p *unstable.Parser, table []string, e *unstable.Node) {
	path, _ := l.note(p, table, e.Key())
	l.value(p, path, e.Value())
}

// value goes into inline tables and into lists of them.
func (l lines) value(p *unstable.Parser, path []string, v *unstable.Node) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			l.keyValue(p, path, it.Node())
		}
	case unstable.Array:
		i := 0
		for it := v.Children(); it.Next(); i++ {
			element := append([]string(nil), path...)
			element[len(element)-1] += "[" + strconv.Itoa(i) + "]"
			l[join(element)] = l[join(path)]
			l.value(p, element, it.Node())
		}
	}
}

// note records each prefix of the key that has no line yet, and returns the
// path and the line of its last part.
func (l lines) note(p *unstable.Parser, table []string, key unstable.Iterator) (path []string, line int) {
	path = append([]string(nil), table...)
	for key.Next() {
		n := key.Node()
		path = append(path, string(n.Data))
		line = p.Shape(n.Raw).Start.Line
		if _, seen := l[join(path)]; !seen {
			l[join(path)] = line
		}
	}
	return path, line
}
