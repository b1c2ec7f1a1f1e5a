package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/trainvet/trainvet/internal/nearest"
)

// Parse checks the text of a configuration file. In a pyproject.toml only the
// table [tool.trainvet] counts; without it the result is the defaults, with an
// empty File.
func (s *Schema) Parse(file string, text []byte) (*Config, error) {
	var tree map[string]any
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // some editors begin a file with a mark of its encoding
	if err := toml.Unmarshal(text, &tree); err != nil {
		return nil, syntaxError(file, err)
	}
	p := &parser{schema: s, file: file, config: s.Default()}
	if strings.HasSuffix(file, pythonFile) {
		tool, _ := tree["tool"].(map[string]any)
		own, ok := tool["trainvet"].(map[string]any)
		if !ok {
			return p.config, nil
		}
		tree, p.root = own, []string{"tool", "trainvet"}
	}
	p.config.File = file
	p.lines = locate(text)
	if err := p.table(nil, tree); err != nil {
		return nil, err
	}
	return p.config, nil
}

func syntaxError(file string, err error) error {
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, _ := at.Position()
		return &Error{File: file, Line: line, Text: strings.TrimPrefix(at.Error(), "toml: ")}
	}
	return &Error{File: file, Text: err.Error()}
}

type parser struct {
	schema *Schema
	file   string
	root   []string // where our table lies in the file
	lines  lines
	config *Config
}

// table takes the keys of one table in the order of their names: a file with
// two faults always reports the same one.
func (p *parser) table(path []string, tree map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if err := p.entry(append(path[:len(path):len(path)], name), tree[name]); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) entry(path []string, v any) error {
	if k, ok := p.schema.lookup(path); ok {
		value, wrong := k.convert(v)
		if wrong != nil {
			return p.error(path, wrong.text, wrong.meant)
		}
		dotted := strings.Join(path, ".")
		p.config.values[dotted] = Value{Key: dotted, Any: value, Origin: p.origin(path), Set: true}
		return nil
	}
	if list := append(path[:len(path)-1:len(path)-1], path[len(path)-1]+"[]"); len(p.schema.below(list)) > 0 {
		return p.list(path, list, v)
	}
	if len(p.schema.below(path)) == 0 {
		return p.unknown(path)
	}
	inner, ok := v.(map[string]any)
	if !ok {
		return p.error(path, "it is a table of keys, not a value", "")
	}
	return p.table(path, inner)
}

// list takes a list of tables; declared is its path as keys.tsv writes it.
func (p *parser) list(path, declared []string, v any) error {
	tables, ok := v.([]any)
	if !ok {
		return p.error(path, fmt.Sprintf("it is a list of tables: write [[%s]]", strings.Join(path, ".")), "")
	}
	for i, t := range tables {
		at := append(path[:len(path)-1:len(path)-1], path[len(path)-1]+"["+strconv.Itoa(i)+"]")
		fields, ok := t.(map[string]any)
		if !ok {
			return p.error(at, "it is not a table", "")
		}
		row, err := p.row(at, declared, fields)
		if err != nil {
			return err
		}
		name := strings.Join(path, ".")
		p.config.rows[name] = append(p.config.rows[name], row)
	}
	return nil
}

func (p *parser) row(at, declared []string, fields map[string]any) (Row, error) {
	row := Row{Origin: p.origin(at), values: map[string]any{}}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		here := append(at[:len(at):len(at)], name)
		k, ok := p.schema.lookup(append(declared[:len(declared):len(declared)], name))
		if !ok {
			return row, p.unknownIn(here, p.schema.names(declared))
		}
		value, wrong := k.convert(fields[name])
		if wrong != nil {
			return row, p.error(here, wrong.text, wrong.meant)
		}
		row.values[name] = value
	}
	for _, k := range p.schema.below(declared) {
		name := k.Path[strings.LastIndexByte(k.Path, '.')+1:]
		if _, ok := row.values[name]; !ok && k.Default == "required" {
			return row, p.error(at, "the field "+name+" is missing", "")
		}
	}
	return row, nil
}

// unknown looks for the key that was meant first beside it, then everywhere: a
// threshold may stand in the wrong table.
func (p *parser) unknown(path []string) error {
	parent := path[:len(path)-1]
	if near := nearest.Word(path[len(path)-1], p.schema.names(parent)); near != "" {
		return p.error(path, "there is no such key", strings.Join(append(parent[:len(parent):len(parent)], near), "."))
	}
	var all, last []string
	for _, k := range p.schema.keys {
		all = append(all, k.Path)
		if strings.HasSuffix(k.Path, "."+path[len(path)-1]) {
			last = append(last, k.Path)
		}
	}
	if len(last) == 1 {
		return p.error(path, "there is no such key", last[0])
	}
	return p.error(path, "there is no such key", nearest.Word(strings.Join(path, "."), all))
}

func (p *parser) unknownIn(path, known []string) error {
	return p.error(path, "there is no such field", nearest.Word(path[len(path)-1], known))
}

// names lists what may stand directly below a path.
func (s *Schema) names(path []string) []string {
	var out []string
	for _, k := range s.below(path) {
		rest := k.Path
		if len(path) > 0 {
			rest = strings.TrimPrefix(rest, strings.Join(path, ".")+".")
		}
		name, _, _ := strings.Cut(rest, ".")
		if name = strings.TrimSuffix(name, "[]"); name != "*" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (p *parser) line(path []string) int {
	return p.lines[join(append(p.root[:len(p.root):len(p.root)], path...))]
}

func (p *parser) origin(path []string) string {
	if n := p.line(path); n > 0 {
		return p.file + ":" + strconv.Itoa(n)
	}
	return p.file
}

func (p *parser) error(path []string, text, meant string) error {
	return &Error{File: p.file, Line: p.line(path), Key: strings.Join(path, "."), Text: text, Meant: meant}
}
