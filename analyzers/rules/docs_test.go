package rules

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/rules anew")

const docs = "../../docs/rules"

// TestDocs holds that docs/rules is what the texts say, no page more or less.
func TestDocs(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"README.md": index()}
	for _, r := range Texts() {
		pages[r.Code+".md"] = page(r)
	}
	if *update {
		old, err := filepath.Glob(filepath.Join(docs, "*.md"))
		require.NoError(t, err)
		for _, name := range old {
			require.NoError(t, os.Remove(name))
		}
		for name, text := range pages {
			require.NoError(t, os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644))
		}
	}
	there, err := filepath.Glob(filepath.Join(docs, "*.md"))
	require.NoError(t, err)
	require.Len(t, there, len(pages), "go test ./analyzers/rules -update")
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join(docs, name))
		require.NoError(t, err, "go test ./analyzers/rules -update")
		require.Equal(t, want, string(got), "go test ./analyzers/rules -update")
	}
}

const generated = "<!-- generated from analyzers/rules by: go test ./analyzers/rules -update -->\n"

func index() string {
	var b strings.Builder
	b.WriteString(generated + "# Rules of trainvet vet\n\n" +
		"`trainvet explain CODE` prints the same texts. A finding is exempt by a row of the ledger\n" +
		"(`trainvet ledger exempt`) or by a comment with a reason: `//trainvet:ignore TV201 reason` in Go,\n" +
		"`# trainvet: ignore[TV201] reason` in Python, with `until=2027-06-30` before the reason where it ends.\n\n" +
		"| code | name | severity | languages | flags |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range Texts() {
		first, _, _ := strings.Cut(r.Rule.Flags, ". ")
		first, _, _ = strings.Cut(first, "\n")
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s | %s |\n", r.Code, r.Code, r.Name, Effect(r.Rule), strings.Join(r.Langs, ", "),
			strings.ReplaceAll(strings.TrimSuffix(first, "."), "|", `\|`))
	}
	return b.String()
}

func page(r Text) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s# %s %s\n\n%s, for %s, since %s. ", generated, r.Code, r.Name, Effect(r.Rule), strings.Join(r.Langs, " and "), r.Since)
	if r.Until {
		b.WriteString("An exemption needs an end, `until=`. ")
	}
	b.WriteString("[All rules](README.md)\n")
	section := func(title, text string) { fmt.Fprintf(&b, "\n## %s\n\n%s\n", title, text) }
	section("What it flags", r.Rule.Flags)
	section("Why it matters for a number", r.Matters)
	section("Flagged", fences(r.Examples))
	section("Right", fences(r.Guards))
	section("What it does not see", "- "+strings.Join(r.Blind, "\n- "))
	section("Sources", "- <"+strings.Join(r.Sources, ">\n- <")+">")
	return b.String()
}

func fences(list []Snippet) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = "```" + s.Lang + "\n" + s.Code + "\n```"
	}
	return strings.Join(parts, "\n\n")
}

var codeForm = regexp.MustCompile(`^TV[0-9]{3}$`)

// TestCodesHaveTexts holds that a code which an analyzer reports has a text,
// and that a text has an analyzer.
func TestCodesHaveTexts(t *testing.T) {
	t.Parallel()
	used := map[string]string{}
	for _, r := range Texts() {
		if len(r.Gates) > 0 {
			used[r.Code] = "gate" // the ledger asks for it by kind
		}
	}
	set := token.NewFileSet()
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name == "newrule"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // the compiler says so
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && codeForm.MatchString(text) {
					used[text] = name
				}
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	for code, name := range used {
		_, ok := Find(code)
		require.True(t, ok, "%s in %s has no text: analyzers/rules/%s.md", code, name, code)
	}
	for _, r := range All() {
		require.NotEmpty(t, used[r.Code], "%s has a text and nothing reports it", r.Code)
	}
}
