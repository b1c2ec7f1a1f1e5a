package marker

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUserRows(t *testing.T) {
	t.Parallel()
	c, err := Load(strings.NewReader("# ours\nid\tclass\tscope\tanchors\tpattern\n" +
		"our-fault\tfault\tdevice\tBOARD PANIC\tre:(?i)board panic (?P<device>\\d+)\n" +
		"our-note\tnotice\t\t\ts:board was restarted\n"))
	require.NoError(t, err)
	require.Equal(t, "device-reset", c.Def("our-fault").Clears)
	require.Contains(t, c.Anchors(), "board panic")
	got := c.Match([]byte("Board panic 3; Board was restarted"), nil, Context{})
	require.Equal(t, []string{"our-fault", "our-note"}, events(got))
	require.Equal(t, "3", got[0].Attrs["device"])
}

func TestLoadNamesRowAndColumn(t *testing.T) {
	t.Parallel()
	head := "id\tclass\tscope\teffect\tanchors\tpattern\n"
	for name, test := range map[string]struct {
		text, column string
		row          int
	}{
		"class":          {head + "a\tbad\tdevice\t\t\ts:long enough", "class", 2},
		"scope":          {head + "a\tfault\tworld\t\t\ts:long enough", "scope", 2},
		"expression":     {head + "a\tfault\tdevice\t\tlong enough\tre:long enough(", "pattern", 2},
		"no kind":        {head + "a\tfault\tdevice\t\tlong enough\tlong enough", "pattern", 2},
		"predicate":      {head + "a\tfault\tdevice\t\tlong enough\tcode:magic", "pattern", 2},
		"short anchor":   {head + "\n# c\na\tfault\tdevice\t\tshort\ts:short", "anchors", 4},
		"short literal":  {head + "a\tfault\tdevice\t\t\ts:nan", "anchors", 2},
		"no anchor":      {head + "a\tfault\tdevice\t\t\tre:long enough", "anchors", 2},
		"wrong anchor":   {head + "a\tfault\tdevice\t\tlong enough\tre:long (enough|short)", "anchors", 2},
		"twice":          {head + "xid\tfault\tdevice\t\t\ts:long enough", "id", 2},
		"no effect":      {head + "a\tdegraded\tprocess\t\t\ts:long enough", "effect", 2},
		"unknown column": {"id\tclass\tpattern\tcolour\n", "colour", 1},
		"missing column": {"id\tclass\n", "pattern", 1},
		"many cells":     {"id\tclass\tpattern\na\tfault\ts:long enough\tx", "", 2},
	} {
		_, err := Load(strings.NewReader(test.text))
		var re *RowError
		require.True(t, errors.As(err, &re), "%s: %v", name, err)
		require.Equal(t, []any{test.row, test.column}, []any{re.Row, re.Column}, "%s: %v", name, err)
	}
}

func TestAnchorsAreProven(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]bool{
		`s:Long Enough`:                 true,
		`re:(?i)LONG enough`:            true,
		`re:long enough|long enoughs`:   true,
		`re:long enough|other`:          false,
		`re:(long|short) enough`:        false,
		`re:(?:very )?long enough`:      true,
		`re:(long enough)*`:             false,
		`re:(long enough)+`:             true,
		`re:(long enough){0,2}`:         false,
		`re:l[o0]ng enough`:             false,
		`re:long.enough`:                false,
		`re:x\d+(a|b)long enough`:       true,
		`re:long (?:enough\d+|enough!)`: true,
		`re:(?:a\d|b\d)(?:c|d)`:         false,
		`re:lo(?:n(?:g)) \benough\b|^$`: false,
		`re:^lo(?:n(?:g)) enough\b\s*$`: true,
	} {
		require.Equal(t, want, anchored(pattern, []string{"long enough"}), pattern)
	}
}

// A proof that would take for ever is given up: no is always safe.
func TestAnchorProofIsBounded(t *testing.T) {
	t.Parallel()
	pattern := "re:" + strings.Repeat(`(?:a\d+|b\d+c)`, 40) + "long enough"
	require.True(t, anchored(pattern, []string{"long enough"}))
	require.False(t, anchored(pattern, []string{"something else"}))
}

func TestCatalogIsWhole(t *testing.T) {
	t.Parallel()
	c := load(t)
	used := map[string]bool{}
	for _, d := range c.All() {
		require.NotEmpty(t, d.Title, d.ID)
		require.True(t, anchored(d.Pattern, d.Anchors), "%s can match without an anchor", d.ID)
		if e, ok := d.test.(*expression); ok {
			require.NotPanics(t, func() { e.compile() }, d.ID)
		}
		require.NotEmpty(t, d.Meaning, d.ID)
		require.NotEmpty(t, d.Remedy, d.ID)
		require.NotEmpty(t, d.Source, d.ID)
		used[d.Code] = true
	}
	for _, m := range c.Meanings() {
		require.True(t, used[m.Code], "no marker means %s", m.Code)
	}
	anchors := c.Anchors()
	require.True(t, slices.IsSorted(anchors))
	for _, a := range anchors {
		require.GreaterOrEqual(t, len(a), minAnchor)
		require.Equal(t, strings.ToLower(a), a)
	}
	require.GreaterOrEqual(t, len(c.All()), 188)
}
