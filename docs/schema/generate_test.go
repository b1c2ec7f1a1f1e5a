package schema

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const module = "github.com/trainvet/trainvet/"

// object keeps the order of keys, so that a schema reads as its type does.
type object []member

type member struct {
	key   string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		v, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, strconv.Quote(m.key)...), ':'), v...)
	}
	return append(b, '}'), nil
}

// generator turns Go types into definitions.
type generator struct {
	t     *testing.T
	defs  map[string]object
	names []string
	// required says whether a field must be there; it knows what the tag cannot say.
	required func(reflect.Type, reflect.StructField) bool
	source   map[string]*source
}

// source is what a package's files say of its types.
type source struct {
	types  map[string]string            // doc comment by type
	fields map[string]map[string]string // comment by type and field
	consts map[string][]string          // values by type of string
}

func newGenerator(t *testing.T) *generator {
	return &generator{t: t, defs: map[string]object{}, source: map[string]*source{}, required: func(_ reflect.Type, f reflect.StructField) bool {
		return !strings.Contains(f.Tag.Get("json"), ",omitempty")
	}}
}

// words are integers that encode as a word.
var words = map[string][]string{
	"verdict.Verdict": {"TRUSTED", "DEGRADED", "UNPROVEN", "POISONED"},
	"verdict.Level":   {"log", "captured", "guarded", "probed"},
}

func (g *generator) of(t reflect.Type) object {
	name := typeName(t)
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{{"type", "string"}, {"format", "date-time"}}
	case name == "evidence.Num" || name == "record.Float":
		return object{{"anyOf", []object{{{"type", "number"}}, {{"enum", []string{"nan", "inf", "-inf"}}}}}}
	case words[name] != nil:
		return object{{"enum", words[name]}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.String:
		if src := g.load(t); src != nil && len(src.consts[t.Name()]) > 0 {
			return object{{"enum", src.consts[t.Name()]}}
		}
		return object{{"type", "string"}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Float64:
		return object{{"type", "number"}}
	case reflect.Int, reflect.Int64:
		return object{{"type", "integer"}}
	case reflect.Uint, reflect.Uint16, reflect.Uint64:
		return object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Slice:
		return object{{"type", []string{"array", "null"}}, {"items", g.of(t.Elem())}}
	case reflect.Map:
		return object{{"type", "object"}, {"additionalProperties", g.of(t.Elem())}}
	case reflect.Struct:
		g.define(t)
		return object{{"$ref", "#/$defs/" + name}}
	}
	g.t.Fatalf("no schema for %s", t)
	return nil
}

func typeName(t reflect.Type) string {
	return filepath.Base(t.PkgPath()) + "." + t.Name()
}

func (g *generator) define(t reflect.Type) {
	name := typeName(t)
	if _, ok := g.defs[name]; ok {
		return
	}
	g.defs[name] = nil
	g.names = append(g.names, name)
	g.defs[name] = g.structure(t)
}

func (g *generator) structure(t reflect.Type) object {
	src := g.load(t)
	var props object
	required := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "-" {
			continue
		}
		require.NotEmpty(g.t, key, "%s.%s has no JSON name", t, f.Name)
		prop := g.of(f.Type)
		if doc := src.fields[t.Name()][f.Name]; doc != "" {
			prop = append(object{{"description", doc}}, prop...)
		}
		props = append(props, member{key, prop})
		if g.required(t, f) {
			required = append(required, key)
		}
	}
	out := object{{"type", "object"}}
	if doc := src.types[t.Name()]; doc != "" {
		out = append(object{{"description", doc}}, out...)
	}
	return append(out, member{"properties", props}, member{"required", required})
}

// load reads the comments and constants of the package of a type of ours.
func (g *generator) load(t reflect.Type) *source {
	dir, ours := strings.CutPrefix(t.PkgPath(), module)
	if !ours {
		return nil
	}
	if g.source[dir] == nil {
		g.source[dir] = readSource(g.t, filepath.Join("..", "..", filepath.FromSlash(dir)))
	}
	return g.source[dir]
}

func readSource(t *testing.T, dir string) *source {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	src := &source{types: map[string]string{}, fields: map[string]map[string]string{}, consts: map[string][]string{}}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if gen, ok := d.(*ast.GenDecl); ok {
				src.declaration(gen)
			}
		}
	}
	return src
}

func (s *source) declaration(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.types[spec.Name.Name] = sentence(d.Doc)
			if st, ok := spec.Type.(*ast.StructType); ok {
				s.structure(spec.Name.Name, st)
			}
		case *ast.ValueSpec:
			ident, ok := spec.Type.(*ast.Ident)
			if d.Tok != token.CONST || !ok || len(spec.Values) != 1 {
				continue
			}
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if v, err := strconv.Unquote(lit.Value); err == nil {
					s.consts[ident.Name] = append(s.consts[ident.Name], v)
				}
			}
		}
	}
}

func (s *source) structure(name string, st *ast.StructType) {
	s.fields[name] = map[string]string{}
	for _, f := range st.Fields.List {
		text := strings.TrimSpace(sentence(f.Doc) + " " + sentence(f.Comment))
		for _, id := range f.Names {
			s.fields[name][id.Name] = text
		}
	}
}

func sentence(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Text()), " ")
}

// document wraps a root into a schema file.
func (g *generator) document(name, title string, root object) []byte {
	defs := object{}
	for _, n := range g.names {
		defs = append(defs, member{n, g.defs[n]})
	}
	doc := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "https://github.com/trainvet/trainvet/docs/schema/" + name + ".schema.json"},
		{"title", title},
	}
	doc = append(doc, root...)
	if len(defs) > 0 {
		doc = append(doc, member{"$defs", defs})
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	require.NoError(g.t, err, fmt.Sprint(name))
	return append(b, '\n')
}
