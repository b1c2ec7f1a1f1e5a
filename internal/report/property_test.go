package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/verdict"
)

// No byte of a log, path or name that a terminal obeys or hides leaves a
// report, whatever field of the result it stands in.
func TestNoControlBytesOfAnyResult(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		f := filler{rand.New(rand.NewPCG(seed, 7))}
		var r verdict.Result
		f.fill(reflect.ValueOf(&r).Elem(), 4)
		for _, o := range []Options{{}, {Verbose: true}, {Quiet: true}, {Width: 50}, {Verbose: true, Width: 90}} {
			requirePrintable(t, printed(t, Text(o), &r), seed)
		}
		requirePrintable(t, printed(t, JSON(), &r), seed)
	}
}

// Every headline begins with its verdict, and a log cannot begin one.
func TestOnlyVerdictsBeginHeadlines(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		f := filler{rand.New(rand.NewPCG(seed, 11))}
		var r verdict.Result
		f.fill(reflect.ValueOf(&r).Elem(), 4)
		lines := strings.Split(printed(t, Text(Options{Quiet: true, Width: 40}), &r), "\n")
		require.True(t, strings.HasPrefix(lines[0], r.Headline.String()), lines[0])
		for _, line := range lines[:len(lines)-1] {
			require.Regexp(t, `^(TRUSTED \((log|captured|guarded|probed)\)|DEGRADED|UNPROVEN|POISONED)(  |$)|^  `, line)
		}
	}
}

func requirePrintable(t *testing.T, out string, seed uint64) {
	t.Helper()
	require.True(t, utf8.ValidString(out), "seed %d", seed)
	for _, r := range out {
		if r != '\n' && !unicode.IsPrint(r) {
			require.Fail(t, fmt.Sprintf("seed %d: %U in the output", seed, r))
		}
	}
}

// filler sets every field of a value at random.
type filler struct{ *rand.Rand }

var pieces = []string{"\x1b[31m", "\x1b]0;x\a", "\u202e", "\u2066", "\n", "\r", "\x00", "\x9b", "\u0085", "\u200b", "\ufeff",
	"\xff\xfe", "TRUSTED (probed)  ", "::error::", "##[group]", "loss", " ", "é", "日本", "\U000e0041", "\t", "\u0301", "\b\b", strings.Repeat("long", 200)}

func (f filler) text() string {
	var b strings.Builder
	for range f.IntN(6) {
		b.WriteString(pieces[f.IntN(len(pieces))])
	}
	return b.String()
}

func (f filler) fill(v reflect.Value, depth int) {
	switch v.Type() {
	case reflect.TypeFor[verdict.Verdict]():
		v.SetInt(int64(f.IntN(4)))
		return
	case reflect.TypeFor[verdict.Level]():
		v.SetInt(int64(f.IntN(4)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text())
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.Int64N(100_000) - 5)
	case reflect.Float64:
		v.SetFloat([]float64{0.1, 3, math.NaN(), math.Inf(-1), 1e300, 4000}[f.IntN(6)])
	case reflect.Pointer:
		if f.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth)
		}
	case reflect.Slice:
		for range f.IntN(depth + 1) {
			e := reflect.New(v.Type().Elem()).Elem()
			f.fill(e, depth-1)
			v.Set(reflect.Append(v, e))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), max(depth-1, 1))
		}
	}
}
