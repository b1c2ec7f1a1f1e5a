// Command newrule makes the boring part of a new Go rule:
//
//	go run ./analyzers/rules/newrule TV999 some-name
//
// It writes the rule's text, its folder with analyzer, test and fixture, and
// its line in analyzers/all.go. All of it compiles, and the tests fail until
// the rule is written.
package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/trainvet/trainvet/analyzers/rules"
)

//go:embed templates
var templates embed.FS

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./analyzers/rules/newrule TV999 some-name, from the root of the repository")
		os.Exit(2)
	}
	written, err := scaffold(".", os.Args[1], os.Args[2])
	for _, name := range written {
		fmt.Println(name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "newrule:", err)
		os.Exit(1)
	}
	fmt.Println("\nnow write the fixture, then the rule, then its text; go test ./analyzers/rules -update writes the page")
}

// rule is what the templates are filled with.
type rule struct {
	Code    string // TV999
	Name    string // some-name
	Package string // somename
	Title   string // SomeName
	Words   string // some name
}

var (
	codeForm = regexp.MustCompile(`^TV[0-9]{3}$`)
	nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
)

func newRule(code, name string) (rule, error) {
	switch {
	case !codeForm.MatchString(code):
		return rule{}, fmt.Errorf("%q is no code such as TV999", code)
	case !nameForm.MatchString(name):
		return rule{}, fmt.Errorf("%q is no name such as some-name", name)
	}
	for _, r := range rules.All() {
		if r.Code == code || r.Name == name {
			return rule{}, fmt.Errorf("%s %s is there already; codes are never used again", r.Code, r.Name)
		}
	}
	r := rule{Code: code, Name: name, Package: strings.ReplaceAll(name, "-", ""), Words: strings.ReplaceAll(name, "-", " ")}
	for word := range strings.SplitSeq(name, "-") {
		r.Title += strings.ToUpper(word[:1]) + word[1:]
	}
	return r, nil
}

// scaffold writes the files below the root of the repository and names them.
func scaffold(root, code, name string) ([]string, error) {
	r, err := newRule(code, name)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join("analyzers", "golang", r.Package)
	if _, err := os.Stat(filepath.Join(root, folder)); err == nil {
		return nil, fmt.Errorf("%s is there already", folder)
	}
	var written []string
	for _, f := range []struct{ template, name string }{
		{"rule.md.tmpl", filepath.Join("analyzers", "rules", r.Code+".md")},
		{"rule.go.tmpl", filepath.Join(folder, r.Package+".go")},
		{"rule_test.go.tmpl", filepath.Join(folder, r.Package+"_test.go")},
		{"fixture.go.tmpl", filepath.Join(folder, "testdata", "src", "a", "a.go")},
	} {
		text, err := fill(f.template, r)
		if err != nil {
			return written, err
		}
		path := filepath.Join(root, f.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return written, err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return written, err
		}
		written = append(written, f.name)
	}
	registry := filepath.Join("analyzers", "all.go")
	if err := register(filepath.Join(root, registry), r); err != nil {
		return written, err
	}
	return append(written, registry), nil
}

func fill(name string, r rule) ([]byte, error) {
	t, err := template.ParseFS(templates, "templates/"+name)
	if err != nil {
		return nil, fmt.Errorf("reading a template: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, r); err != nil {
		return nil, fmt.Errorf("filling %s: %w", name, err)
	}
	return b.Bytes(), nil
}
