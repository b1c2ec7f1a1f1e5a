package rules

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

func TestEveryFileReads(t *testing.T) {
	t.Parallel()
	_, err := shelf()
	require.NoError(t, err)
	names, err := filepath.Glob("TV*.md")
	require.NoError(t, err)
	require.Len(t, All(), len(names))
}

// TestTextsAreWhole holds what every printer relies on.
func TestTextsAreWhole(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, r := range Texts() {
		require.Empty(t, names[r.Name], "%s and %s have one name", r.Code, names[r.Name])
		names[r.Name] = r.Code
		require.NotEmpty(t, r.Langs, r.Code)
		for _, text := range append([]string{r.Rule.Flags, r.Matters}, append(r.Blind, r.Sources...)...) {
			require.NotContains(t, text, "  ", r.Code)
			require.NotContains(t, text, "TODO", "%s is not written yet", r.Code)
			require.Equal(t, strings.ToValidUTF8(text, ""), text, r.Code)
		}
		for _, s := range r.Sources {
			require.True(t, strings.HasPrefix(s, "https://"), "%s: %s is no address", r.Code, s)
		}
	}
}

// TestGoSnippetsParse holds that what a reader may copy is Go, formatted.
func TestGoSnippetsParse(t *testing.T) {
	t.Parallel()
	for _, r := range Texts() {
		for _, s := range append(r.Examples, r.Guards...) {
			if s.Lang != "go" {
				continue
			}
			got, err := format.Source([]byte(s.Code))
			require.NoError(t, err, "%s\n%s", r.Code, s.Code)
			require.Equal(t, s.Code, string(got), r.Code)
		}
	}
}

func TestGates(t *testing.T) {
	t.Parallel()
	for kind, code := range map[site.Kind]string{site.Decode: "TV101", site.Step: "TV305", site.Implicit: "TV901", site.Handler: ""} {
		require.Equal(t, code, Gate(kind))
	}
	require.True(t, Flaw("TV105", site.Decode))
	require.False(t, Flaw("TV105", site.Step))
	require.False(t, Flaw("TV101", site.Decode))
	require.False(t, Flaw("TV000", site.Decode))
	gated := map[site.Kind]string{}
	for _, r := range Texts() {
		for _, k := range r.Gates {
			require.Empty(t, gated[k], "%s has two gates", k)
			gated[k] = r.Code
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	r, ok := Find("TV209")
	require.True(t, ok)
	require.Equal(t, "fault-type-lost-in-wrap", r.Name)
	require.Equal(t, site.Error, r.Severity)
	_, ok = Find("TV999")
	require.False(t, ok)
}

const whole = "# TV998 some-name\n\nseverity: error\nlangs: go\ntier: core\nsince: 0.1\n\n## flags\n\nA b\nc.\n\nd\n\n## matters\n\ne\n\n" +
	"## example\n\n```go\nx()\n```\n\n```python\nx()\n```\n\n## guarded\n\n```go\n\ty()\n```\n\n## blind spots\n\n- one\n  more\n- two\n\n## sources\n\n- https://example.org\n"

func TestParse(t *testing.T) {
	t.Parallel()
	r, err := Parse("TV998.md", whole)
	require.NoError(t, err)
	require.Equal(t, "A b c.\n\nd", r.Rule.Flags)
	require.Equal(t, []string{"one more", "two"}, r.Blind)
	require.Equal(t, "go:\nx()\n\npython:\nx()", r.Example)
	require.Equal(t, "\ty()", r.Guarded)
	require.False(t, r.Until)
	r, err = Parse("f", strings.Replace(whole, "tier: core", "until: required\ntier: core\nflaws: decode step", 1))
	require.NoError(t, err)
	require.True(t, r.Until)
	require.Equal(t, []site.Kind{site.Decode, site.Step}, r.Flaws)
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ old, new, want string }{
		"title":       {"# TV998 some-name", "# TV99 some-name", "is no title"},
		"name":        {"some-name", "SomeName", "is no title"},
		"key":         {"tier: core", "teir: core", "is no key of a rule"},
		"value":       {"tier: core", "tier: hard", "not one of core, strict, audit"},
		"language":    {"langs: go", "langs: go rust", "not one of go, py"},
		"twice":       {"tier: core", "tier: core\ntier: core", "is there twice"},
		"section":     {"## matters", "## importance", "no section of a rule"},
		"two":         {"## matters", "## flags", "is there twice"},
		"missing":     {"since: 0.1\n", "", `"since" is missing`},
		"empty":       {"\n\ne\n", "\n\n", `"matters" is empty`},
		"no fence":    {"```go\n\ty()\n```", "y()", "fenced code"},
		"prose":       {"```go\n\ty()\n```", "see:\n```go\n\ty()\n```", "fenced code"},
		"no list":     {"- https://example.org", "https://example.org", "a list is expected"},
		"until value": {"tier: core", "tier: core\nuntil: perhaps", "not one of required"},
	} {
		_, err := Parse("TV998.md", strings.Replace(whole, tt.old, tt.new, 1))
		require.ErrorContains(t, err, tt.want, name)
		require.ErrorContains(t, err, "TV998.md: ", name)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("# TV1\n## flags")
	list, _ := filepath.Glob("TV*.md")
	for _, name := range list {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse("x", text)
		if err == nil && (r.Code == "" || r.Matters == "" || len(r.Examples) == 0) {
			t.Fatalf("taken without its parts: %+v", r)
		}
	})
}
