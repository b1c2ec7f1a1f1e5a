package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPythonPatterns(t *testing.T) {
	t.Parallel()
	p, err := ParseNames("python.tsv", "# comment\nlist\tplain,pre*,*suf,*mid*,a*z,o?t\tfor people\nlist\tmore.dotted\n")
	require.NoError(t, err)
	l := p.List("list")
	for name, want := range map[string]bool{
		"plain": true, "plainer": false, "prefix": true, "apre": false, "xsuf": true, "sufx": false,
		"xmidx": true, "mid": true, "abcz": true, "abc": false, "opt": true, "oppt": false, "more.dotted": true, "": false,
	} {
		require.Equal(t, want, l.Has(name), name)
	}
	require.True(t, l.Dotted())
	require.True(t, l.May([]byte("anything")), "it has patterns")
	require.False(t, l.May(nil))
	require.Panics(t, func() { p.List("none") })
	for _, bad := range []string{"alone\n", "a\tb\tc\td\n", "list\tx,,y\n", "list\t*\n", "list\t[\n"} {
		_, err := ParseNames("python.tsv", bad)
		require.Error(t, err, bad)
	}
}

func TestMay(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70)
	p, err := ParseNames("python.tsv", "list\tplain,_two,"+long+"\n")
	require.NoError(t, err)
	l := p.List("list")
	for name, want := range map[string]bool{
		"plain": true, "PLAIN": true, "pxxxx": true, "Plainer": false, "_two": true, "two_": false, long: true, long + "x": true, strings.Repeat("y", 70): false, "": false,
		"pla\u0130n": true, "\u212aelvin": true,
	} {
		require.Equal(t, want, l.May([]byte(name)), name)
		if l.Has(strings.ToLower(name)) {
			require.True(t, want, name)
		}
	}
}

func TestPythonCatalogue(t *testing.T) {
	t.Parallel()
	p, err := ParseNames("python.tsv", pythonRows)
	require.NoError(t, err)
	for name, l := range p.lists {
		require.False(t, l.Has("zzqx"), "%s matches anything", name)
	}
}
