package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestKeysAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range NewSchema().Keys() {
		require.False(t, seen[k.Path], "%s is declared twice", k.Path)
		seen[k.Path] = true
		require.NotEmpty(t, k.Reason, "%s has no reason", k.Path)
		require.NotEmpty(t, k.Since, k.Path)
		if k.Default != "required" {
			require.NotPanics(t, func() { k.defaultValue() }, k.Path)
		}
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	c := NewSchema().Default()
	require.InDelta(t, 1.75, c.Float("audit.lookback.loss_ratio"), 0)
	require.Equal(t, int64(1<<20), c.Size("audit.lookback.max_bytes"))
	require.Equal(t, 2*time.Second, c.Duration("audit.order.skew"))
	require.Empty(t, c.String("audit.require_level"))
	require.False(t, c.Set("audit.require_level"))
	for _, v := range c.Values() {
		require.Equal(t, "default", v.Origin, v.Key)
	}
	require.Panics(t, func() { c.Int("audit.nonsense") })
	require.Panics(t, func() { c.Int("audit.lookback.loss_ratio") }, "a float is no int")
}

func TestParseKeepsOrigins(t *testing.T) {
	t.Parallel()
	c, err := NewSchema().Parse("trainvet.toml", []byte(`
[audit]
require = ["eval/*"]
lookback.loss_ratio = 2
order = { skew = "500ms", far_bytes = 1024 }

[audit.require_levels]
"eval.*" = "captured"

[[markers]]
id = "a"
class = "fault"
scope = "process"
pattern = "s:the card has left"

[[markers]]
id = "b"
class = "notice"
scope = "job"
pattern = "re:card [0-9]+ is back"
anchors = ["is back again"]
`))
	require.NoError(t, err)
	require.Equal(t, []string{"eval/*"}, c.Strings("audit.require"))
	require.InDelta(t, 2, c.Float("audit.lookback.loss_ratio"), 0)
	require.Equal(t, 500*time.Millisecond, c.Duration("audit.order.skew"))
	require.Equal(t, map[string]string{"eval.*": "captured"}, c.Under("audit.require_levels"))
	origins := map[string]string{}
	for _, v := range c.Values() {
		if v.Set {
			origins[v.Key] = v.Origin
		}
	}
	require.Equal(t, map[string]string{
		"audit.require":               "trainvet.toml:3",
		"audit.lookback.loss_ratio":   "trainvet.toml:4",
		"audit.order.skew":            "trainvet.toml:5",
		"audit.order.far_bytes":       "trainvet.toml:5",
		"audit.require_levels.eval.*": "trainvet.toml:8",
	}, origins)
	rows := c.Rows("markers")
	require.Len(t, rows, 2)
	require.Equal(t, "trainvet.toml:10", rows[0].Origin)
	require.Equal(t, "trainvet.toml:16", rows[1].Origin)
	require.Equal(t, "re:card [0-9]+ is back", rows[1].String("pattern"))
	require.Equal(t, []string{"is back again"}, rows[1].Strings("anchors"))
}

func TestFaultsAreNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"misspelt key":       {"[audit.lookback]\nloss_ration = 2\n", "x.toml:2: audit.lookback.loss_ration: there is no such key; did you mean audit.lookback.loss_ratio?"},
		"misspelt table":     {"\n[audit.lookbak]\nloss_ratio = 2\n", "x.toml:2: audit.lookbak: there is no such key; did you mean audit.lookback?"},
		"wrong table":        {"[audit]\nfar_bytes = 2\n", "x.toml:2: audit.far_bytes: there is no such key; did you mean audit.order.far_bytes?"},
		"nothing near":       {"colour = 1\n", "x.toml:1: colour: there is no such key"},
		"wrong type":         {"[audit.skips]\nshare = \"much\"\n", "x.toml:2: audit.skips.share: much is not a number"},
		"outside the range":  {"[audit.skips]\nshare = 1.5\n", "x.toml:2: audit.skips.share: 1.5 lies outside 0..1"},
		"not a number":       {"[audit.skips]\nshare = nan\n", "x.toml:2: audit.skips.share: NaN lies outside 0..1"},
		"bad word":           {"[audit]\nrequire_level = \"capturd\"\n", `x.toml:2: audit.require_level: "capturd" is none of log, captured, guarded, probed; did you mean captured?`},
		"bad word in a list": {"[audit]\nallow = [\"degraded\", \"poisoned\"]\n", `x.toml:2: audit.allow: "poisoned" is none of degraded, unproven`},
		"bad size":           {"[audit.order]\nfar_bytes = \"1 MB\"\n", `x.toml:2: audit.order.far_bytes: 1 MB is not a number of bytes or a size such as "4MiB"`},
		"bad duration":       {"[audit.order]\nskew = 2\n", `x.toml:2: audit.order.skew: 2 is not a duration such as "2s"`},
		"value for a table":  {"audit = 1\n", "x.toml:1: audit: it is a table of keys, not a value"},
		"list for a value":   {"[audit]\nrequire = \"acc\"\n", "x.toml:2: audit.require: acc is not a list of strings"},
		"syntax":             {"[audit\n", "x.toml:1: "},
		"twice":              {"[audit]\nallow=[]\nallow=[]\n", "x.toml:3: "},
		"row without id":     {"[[markers]]\nclass=\"fault\"\nscope=\"job\"\npattern=\"s:x\"\n", "x.toml:1: markers[0]: the field id is missing"},
		"row's bad field":    {"[[markers]]\nid=\"a\"\n[[markers]]\npatern=\"s:x\"\n", "x.toml:1: markers[0]: the field class is missing"},
		"row's unknown one":  {"\n[[metrics]]\nname=\"a\"\nrolle=\"eval\"\n", "x.toml:4: metrics[0].rolle: there is no such field; did you mean role?"},
		"table for a list":   {"[markers]\nid=\"a\"\n", "x.toml:1: markers: it is a list of tables: write [[markers]]"},
		"list of no tables":  {"markers = [1]\n", "x.toml:1: markers[0]: it is not a table"},
		"size far too large": {"[audit.order]\nfar_bytes = \"9999999999GiB\"\n", "x.toml:2: audit.order.far_bytes: 9999999999GiB is not"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := NewSchema().Parse("x.toml", []byte(c.text))
			var fault *Error
			require.ErrorAs(t, err, &fault)
			require.True(t, strings.HasPrefix(err.Error(), c.want), "got  %s\nwant %s", err, c.want)
		})
	}
}

func TestFindTakesTheNearest(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	write := func(text string, path ...string) string {
		name := filepath.Join(append([]string{top}, path...)...)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return name
	}
	own := write("[audit.skips]\nlast = 5\n", "trainvet.toml")
	c, err := NewSchema().Find(deep)
	require.NoError(t, err)
	require.Equal(t, own, c.File)
	require.Equal(t, int64(5), c.Int("audit.skips.last"))

	write("[project]\nname = \"other\"\n", "a", "pyproject.toml") // speaks of no trainvet
	c, err = NewSchema().Find(deep)
	require.NoError(t, err)
	require.Equal(t, own, c.File)

	py := write("[tool.trainvet.audit.skips]\nlast = 7\n", "a", "pyproject.toml")
	c, err = NewSchema().Find(deep)
	require.NoError(t, err)
	require.Equal(t, py, c.File)
	require.Equal(t, int64(7), c.Int("audit.skips.last"))

	write("[tool.trainvet.audit.skips]\n\nlst = 7\n", "a", "pyproject.toml")
	_, err = NewSchema().Find(deep)
	require.EqualError(t, err, py+":3: audit.skips.lst: there is no such key; did you mean audit.skips.last?")

	_, err = NewSchema().Load(write("[project]\n", "pyproject.toml"))
	require.ErrorContains(t, err, "no table [tool.trainvet]")
	_, err = NewSchema().Load(filepath.Join(top, "absent.toml"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = NewSchema().Load(top)
	require.ErrorIs(t, err, errNoFile)
}

func TestTablesOfOthersJoin(t *testing.T) {
	t.Parallel()
	s := NewSchema(Key{Path: "quality.flat.range", Type: "float", Default: "0.001", Reason: "a reason", Since: "0.1"})
	require.InDelta(t, 0.001, s.Default().Float("quality.flat.range"), 0)
	c, err := s.Parse("x.toml", []byte("quality.flat.range = 0.1\n"))
	require.NoError(t, err)
	require.InDelta(t, 0.1, c.Float("quality.flat.range"), 0)
	_, err = s.Parse("x.toml", []byte("[quality.flat]\nrnage = 0.1\n"))
	require.ErrorContains(t, err, "did you mean quality.flat.range?")
}

func FuzzParse(f *testing.F) {
	f.Add("[audit.lookback]\nloss_ratio = 2\n")
	f.Add("[[markers]]\nid = 'a'\n[[markers]]\n[tool.trainvet]\n")
	f.Add("audit = { order = { skew = \"1s\" }, allow = [\"x\"] }\n")
	f.Add("[a]\nb.c.d = [[1], {e = [ {f = 1} ]}]\n[a.g]\n[[a.h]]\n[[a.h.i]]\n[a.h.i.j]\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range []string{"trainvet.toml", "pyproject.toml"} {
			c, err := NewSchema().Parse(file, []byte(text))
			var fault *Error
			if err != nil && !errors.As(err, &fault) {
				t.Errorf("an error of another type: %v", err)
			}
			if err == nil {
				c.Values()
			}
		}
	})
}

// TestByteOrderMark reads a file as some editors write it: what begins it is no key.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	c, err := NewSchema().Parse("trainvet.toml", []byte("\xef\xbb\xbf[audit.skips]\nlast = 5\n"))
	require.NoError(t, err)
	require.EqualValues(t, 5, c.Int("audit.skips.last"))
	_, err = NewSchema().Parse("trainvet.toml", []byte("\xef\xbb\xbf[audit.skips]\nlst = 5\n"))
	require.ErrorContains(t, err, "trainvet.toml:2")
}
