package tolerant_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
)

func read(t *testing.T, text string, l tolerant.Limits) (tolerant.Value, error) {
	t.Helper()
	r := tolerant.NewReader(iotest.OneByteReader(strings.NewReader(text)), l)
	v, err := r.ReadValue()
	if err == nil {
		if _, err = r.Next(); err == io.EOF {
			err = nil
		}
	}
	return v, err
}

func TestExactIntegers(t *testing.T) {
	t.Parallel()
	v, err := read(t, `{"id": 72340172838076673, "neg": -9223372036854775808}`, tolerant.Limits{})
	require.NoError(t, err)
	id, ok := v.Get("id").Int()
	require.True(t, ok)
	require.Equal(t, int64(72340172838076673), id)
	require.Equal(t, "72340172838076673", v.Get("id").Text)
	neg, ok := v.Get("neg").Int()
	require.True(t, ok)
	require.Equal(t, int64(math.MinInt64), neg)
}

func TestBareNumbers(t *testing.T) {
	t.Parallel()
	v, err := read(t, `[NaN, Infinity, -Infinity, nan, -inf, 1.5, "NaN"]`, tolerant.Limits{})
	require.NoError(t, err)
	for i, want := range []struct {
		f    float64
		bare bool
	}{{math.NaN(), true}, {math.Inf(1), true}, {math.Inf(-1), true}, {math.NaN(), true}, {math.Inf(-1), true}, {1.5, false}, {math.NaN(), false}} {
		got, ok := v.Items[i].Float()
		require.True(t, ok, i)
		require.Equal(t, want.bare, v.Items[i].Bare, i)
		require.Equal(t, fmt.Sprint(want.f), fmt.Sprint(got), i)
	}
}

func TestDuplicateKeysLastWins(t *testing.T) {
	t.Parallel()
	v, err := read(t, `{"loss": 1, "step": 2, "loss": 3, "sub": {"loss": 4}, "step": 5}`, tolerant.Limits{})
	require.NoError(t, err)
	require.Equal(t, "3", v.Get("loss").Text)
	require.Equal(t, "5", v.Get("step").Text)
	require.Equal(t, []string{"loss", "step"}, v.Repeated())
	require.Empty(t, v.Get("sub").Repeated())
}

func TestOffsetsAndLines(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbf{\n \"a\": 12,\r\n\"b\" : [ true ]}\n"
	v, err := read(t, text, tolerant.Limits{})
	require.NoError(t, err)
	a, b := v.Get("a"), v.Get("b")
	require.Equal(t, "12", text[a.Offset:a.End])
	require.Equal(t, int64(2), a.Line)
	require.Equal(t, "[ true ]", text[b.Offset:b.End])
	require.Equal(t, int64(3), b.Line)
	require.Equal(t, "true", text[b.Items[0].Offset:b.Items[0].End])
}

func TestStrings(t *testing.T) {
	t.Parallel()
	v, err := read(t, `["\ud83d\ude00 é \\ \/ \n \u0000", "\ud83d x", "`+"a\xffb"+`"]`, tolerant.Limits{})
	require.NoError(t, err)
	require.Equal(t, "😀 é \\ / \n \x00", v.Items[0].Text)
	require.Equal(t, "\uFFFD x", v.Items[1].Text)
	require.Equal(t, "a\uFFFDb", v.Items[2].Text)
}

func TestPythonLiterals(t *testing.T) {
	t.Parallel()
	v, err := read(t, `{'loss': 0.5, 'ok': True, 'x': None, 'it\'s': nan}`, tolerant.Limits{Python: true})
	require.NoError(t, err)
	require.Equal(t, tolerant.True, v.Get("ok").Kind)
	require.NotNil(t, v.Get("it's"))
	_, err = read(t, `{'loss': 0.5}`, tolerant.Limits{})
	require.Error(t, err)
}

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		offset int64
	}{
		{`[1, 2,]`, 6}, {`{"a": 1,}`, 8}, {`{"a" 1}`, 5}, {`[1 2]`, 3}, {`[1}`, 2}, {`{a: 1}`, 1},
		{`[01]`, 1}, {`[nul]`, 1}, {`["a` + "\n" + `"]`, 3}, {`["\x"]`, 2}, {`{} {}`, 3}, {`[1e]`, 1}, {"[1]\x00", 3},
	} {
		_, err := read(t, c.text, tolerant.Limits{})
		var syntax *tolerant.SyntaxError
		require.ErrorAs(t, err, &syntax, c.text)
		require.Equal(t, c.offset, syntax.Offset, c.text)
	}
}

// Every proper prefix of a document gives the tokens before the cut and then
// a TruncatedError, never a clean end.
func TestEveryPrefixIsTruncated(t *testing.T) {
	t.Parallel()
	text := `{"log_history": [{"loss": 1.25, "bad": NaN, "s": "\u00e9\n"}, {"x": [true, false, null]}], "n": -1.5e-3}`
	for n := 1; n < len(text); n++ {
		_, err := read(t, text[:n], tolerant.Limits{})
		var cut *tolerant.TruncatedError
		require.ErrorAs(t, err, &cut, text[:n])
		require.Equal(t, int64(n), cut.Offset, text[:n])
	}
}

func TestTruncatedTreeKeepsWhatWasRead(t *testing.T) {
	t.Parallel()
	v, err := read(t, `{"a": 1, "b": [2, 3`, tolerant.Limits{})
	require.Error(t, err)
	require.Equal(t, "1", v.Get("a").Text)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		l     tolerant.Limits
		limit string
	}{
		{strings.Repeat("[", 40), tolerant.Limits{Depth: 32}, "depth"},
		{`["` + strings.Repeat("x", 200_000) + `"]`, tolerant.Limits{Token: 1000}, "token bytes"},
		{`[` + strings.Repeat("1", 2000) + `]`, tolerant.Limits{Token: 1000}, "token bytes"},
		{manyKeys(100), tolerant.Limits{Keys: 60}, "keys in one object"},
		{`[1,2,3]`, tolerant.Limits{Values: 3}, "values in one tree"},
	} {
		_, err := read(t, c.text, c.l)
		var limit *tolerant.LimitError
		require.ErrorAs(t, err, &limit)
		require.Equal(t, c.limit, limit.Limit)
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `, "k%d": %d`, i, i)
	}
	return "{" + b.String()[2:] + "}"
}

func TestDuplicatesAmongManyKeys(t *testing.T) {
	t.Parallel()
	v, err := read(t, manyKeys(100)[:len(manyKeys(100))-1]+`, "k3": -3, "k99": -99}`, tolerant.Limits{})
	require.NoError(t, err)
	require.Equal(t, []string{"k3", "k99"}, v.Repeated())
	require.Equal(t, "-3", v.Get("k3").Text)
	require.Equal(t, "4", v.Get("k4").Text)
	require.Len(t, v.Members, 100)
}

func TestCutStrings(t *testing.T) {
	t.Parallel()
	l := tolerant.Limits{Token: 100, CutStrings: true}
	text := `{"a": "` + strings.Repeat("x", 300_000) + `", "b": 1}`
	v, err := read(t, text, l)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("x", 100), v.Get("a").Text)
	require.Equal(t, "1", v.Get("b").Text)
	_, err = read(t, `{"`+strings.Repeat("x", 300_000)+`": 1}`, l)
	var limit *tolerant.LimitError
	require.ErrorAs(t, err, &limit)
}

func TestSkipHoldsNothing(t *testing.T) {
	t.Parallel()
	text := `{"big": ["` + strings.Repeat("x\\n", 100_000) + `", {"deep": [1]}], "loss": 2, "more": [1, 2], "end": 3}`
	r := tolerant.NewReader(strings.NewReader(text), tolerant.Limits{Token: 100})
	next := func() tolerant.Token {
		tok, err := r.Next()
		require.NoError(t, err)
		return tok
	}
	next()
	next()
	require.NoError(t, r.Skip())
	require.Equal(t, "loss", string(next().Text))
	require.Equal(t, "2", string(next().Text))
	require.Equal(t, "more", string(next().Text))
	require.Equal(t, tolerant.Array, next().Kind)
	require.NoError(t, r.SkipRest())
	require.Equal(t, "end", string(next().Text))
	require.NoError(t, r.Skip())
	require.Equal(t, tolerant.ObjectEnd, next().Kind)
	_, err := r.Next()
	require.Equal(t, io.EOF, err)
}

func TestStringToPassesAnyLength(t *testing.T) {
	t.Parallel()
	want := strings.Repeat("loss é 0.5\n", 50_000)
	text := `["` + strings.ReplaceAll(want, "\n", `\n`) + `", 7]`
	r := tolerant.NewReader(iotest.HalfReader(strings.NewReader(text)), tolerant.Limits{Token: 10})
	_, err := r.Next()
	require.NoError(t, err)
	var got strings.Builder
	tok, err := r.StringTo(&got)
	require.NoError(t, err)
	require.Equal(t, tolerant.String, tok.Kind)
	require.True(t, want == got.String())
	tok, err = r.Next()
	require.NoError(t, err)
	require.Equal(t, "7", string(tok.Text))
}

func TestReadErrorIsPassedOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk gone")
	r := tolerant.NewReader(io.MultiReader(strings.NewReader(`[1, `), iotest.ErrReader(broken)), tolerant.Limits{})
	_, err := r.ReadValue()
	require.ErrorIs(t, err, broken)
	_, again := r.Next()
	require.Equal(t, err, again)
}

func TestNumbersFlattened(t *testing.T) {
	t.Parallel()
	v, err := read(t, `{"loss": "0.25", "val": {"loss": 1, "deep": {"x": 2}}, "name": "abc", "flag": true}`, tolerant.Limits{})
	require.NoError(t, err)
	var names []string
	for _, n := range v.Numbers(2) {
		names = append(names, n.Name)
	}
	require.Equal(t, []string{"loss", "val/loss"}, names)
	require.True(t, v.Numbers(1)[0].Quoted)
	require.Len(t, v.Numbers(3), 3)
}
