package driver

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const mixed = `# ex.com/a
{
	"ex.com/a": {
		"x": [
			{"category": "wire", "posn": "/s/a.go:1:1", "message": "{\"unit\":{\"name\":\"ex.com/a\",\"files\":[\"/s/a.go\"]}}"}
		]
	}
}
# ex.com/b [ex.com/b.test]
vet: b/b.go:3:4: undefined: c
{}
# [ex.com/c]
c/c.go:1:2: more
`

func split(t *testing.T, text string, piece int) (docs, lines []string, err error) {
	t.Helper()
	s := &splitter{
		object: func(b []byte) error { docs = append(docs, string(b)); return nil },
		text:   func(pkg, line string) error { lines = append(lines, pkg+"|"+line); return nil },
	}
	for rest := []byte(text); len(rest) > 0; {
		n := min(piece, len(rest))
		part := bytes.Clone(rest[:n])
		_, werr := s.Write(part)
		require.NoError(t, werr)
		clear(part) // the writer's buffer is its own
		rest = rest[n:]
	}
	return docs, lines, s.Close()
}

func TestSplitterInAnyPieces(t *testing.T) {
	t.Parallel()
	for piece := 1; piece < 40; piece++ {
		docs, lines, err := split(t, mixed, piece)
		require.NoError(t, err)
		require.Len(t, docs, 1)
		require.True(t, json.Valid([]byte(docs[0])))
		require.Equal(t, []string{"ex.com/b|vet: b/b.go:3:4: undefined: c", "ex.com/c|c/c.go:1:2: more"}, lines)
	}
	_, lines, err := split(t, strings.ReplaceAll(strings.TrimSuffix(mixed, "\n"), "\n", "\r\n"), 7)
	require.NoError(t, err)
	require.Len(t, lines, 2)
	_, _, err = split(t, "{\n\t\"a\": {", 3)
	require.ErrorIs(t, err, errCut)
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	a := newAnswers()
	s := &splitter{object: a.object, text: a.text}
	_, _ = s.Write([]byte(mixed))
	require.NoError(t, s.Close())
	require.True(t, a.analysed("ex.com/a"))
	require.Equal(t, []string{"ex.com/b", "ex.com/c"}, a.order)
	require.NoError(t, a.object([]byte("{\n\"p [p.test]\": {\"rule\": {\"error\": \"it panicked\"}}\n}\n")))
	require.Equal(t, "rule gave up: it panicked", a.units["p"].broken)
	// What an analyzer reports past package unit is kept as it is.
	require.NoError(t, a.object([]byte("{\n\"p\": {\"rule\": [{\"category\":\"TV1\",\"posn\":\"/a b/c:d.go:7:2\",\"message\":\"m\"}]}\n}\n")))
	require.Equal(t, "/a b/c:d.go", a.units["p"].findings[0].At.File)
	require.Equal(t, 7, a.units["p"].findings[0].At.Line)
	require.Error(t, a.object([]byte("{\n\"p\": 3\n}\n")))
}

func TestPosition(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a.go:3:4": "a.go 3 4", "a.go:3": "a.go 3 0", "C:/a.go:3:4": "C:/a.go 3 4", "a.go": "", "": ""} {
		at, ok := position(text)
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, strings.Fields(want)[0], at.File, text)
		}
	}
}

func FuzzSplitter(f *testing.F) {
	f.Add([]byte(mixed), 5)
	f.Add([]byte("{\n{\n}\n}\n# x"), 1)
	f.Fuzz(func(t *testing.T, text []byte, piece int) {
		a, b := newAnswers(), newAnswers()
		whole := &splitter{object: a.object, text: a.text}
		_, _ = whole.Write(text)
		first := whole.Close()
		pieces := &splitter{object: b.object, text: b.text}
		for n := max(piece%50, 1); len(text) > 0; {
			k := min(n, len(text))
			_, _ = pieces.Write(text[:k])
			text = text[k:]
		}
		second := pieces.Close()
		if (first == nil) != (second == nil) || len(a.order) != len(b.order) || len(a.units) != len(b.units) {
			t.Fatalf("pieces differ from the whole: %v, %v", first, second)
		}
	})
}
