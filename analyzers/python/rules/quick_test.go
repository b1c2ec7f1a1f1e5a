package rules

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLoopsToJudge holds the quick look against one at each line.
func TestLoopsToJudge(t *testing.T) {
	t.Parallel()
	byLine := func(text []byte) bool {
		loops, judges := false, false
		for line := range bytes.Lines(text) {
			line = bytes.TrimSpace(line)
			switch {
			case bytes.HasPrefix(line, []byte("for ")):
				judged := containsAny(line, judgeWords)
				if judged || bytes.HasSuffix(line, []byte("(")) {
					return true
				}
				loops = loops || containsAny(line, loopWords)
			case bytes.HasPrefix(line, []byte("def ")), bytes.HasPrefix(line, []byte("async def ")):
				judges = judges || containsAny(line, judgeWords)
			}
		}
		return loops && judges
	}
	texts := []string{
		"", "for x in y:", "for x in test:", "  for x in(", "[a for x in test]", "def evaluate():\n\tfor b in loader:\r\n", "def train():\n for b in loader:",
		"async def test():\n  for b in loader:", "await def test():\n  for b in loader:", "for b in loader:\n  pass\nasync  def test(): pass", "\f for b in dev:", "xfor b in dev:", "for b in batches:\ndef predict(",
	}
	names, err := os.ReadDir("testdata")
	require.NoError(t, err)
	for _, dir := range names {
		files, _ := os.ReadDir("testdata/" + dir.Name())
		for _, f := range files {
			if strings.HasSuffix(f.Name(), ".py") {
				text, err := os.ReadFile("testdata/" + dir.Name() + "/" + f.Name())
				require.NoError(t, err)
				texts = append(texts, string(text))
			}
		}
	}
	for _, text := range texts {
		require.Equal(t, byLine([]byte(text)), hasLoopsToJudge([]byte(text)), text)
	}
}

// TestPlaces: what a quick look is told of the places of a word does not depend
// on whether they were kept.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rule := Rule{Code: "TV901", Needs: [][]string{{"hit("}}, Searched: []string{"needle(", "hit("}, Check: func(*File, *Report) {}}
	var got []int
	rule.Quick = func(g *Glance) bool {
		for _, word := range []string{"needle(", "hit("} {
			g.Each(word, func(at int) bool {
				got = append(got, at)
				return false
			})
		}
		require.Panics(t, func() { g.Each("another(", nil) })
		return true
	}
	s := NewSet([]Rule{rule}, func(string) bool { return true })
	found := s.Look([]byte("hit( needle( needles( needle("), false, false)
	require.True(t, found.Any())
	require.Equal(t, []int{5, 22, 0}, got)
	got = nil
	many := strings.Repeat("needle(", maxPlaces+1)
	s.Look([]byte("hit("+many), false, false)
	require.Len(t, got, maxPlaces+2)
	require.Panics(t, func() {
		NewSet([]Rule{{Code: "TV901", Searched: []string{"one"}}}, func(string) bool { return true })
	})
}
