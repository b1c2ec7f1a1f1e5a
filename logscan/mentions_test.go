package logscan

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/scan"
	"github.com/trainvet/trainvet/logscan/source"
)

// TestMentionsAreTheAudits: what is looked for alone is what an audit of the
// same log finds.
func TestMentionsAreTheAudits(t *testing.T) {
	logs, err := filepath.Glob("testdata/cases/*/log.txt")
	require.NoError(t, err)
	more, err := filepath.Glob("../testdata/cases/*/log.txt")
	require.NoError(t, err)
	e, err := newEngine(&Options{})
	require.NoError(t, err)
	log, found := filepath.Join(t.TempDir(), "run.log"), 0
	for _, from := range append(logs, more...) {
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(log, text, 0o600))
		set, err := source.Expand(context.Background(), []string{log}, nil, source.Options{})
		require.NoError(t, err)
		if len(set.Inputs) != 1 || set.Inputs[0].Kind != source.Console {
			continue
		}
		ev, err := e.read(context.Background(), &set.Inputs[0])
		require.NoError(t, err)
		var want []rundir.Mention
		for _, a := range ev.Artifacts {
			m := rundir.Mention{Op: a.Op, Path: a.Path, Offset: &a.At.Offset}
			if a.Op == "read" {
				m.Kind = a.Kind
			}
			want = append(want, m)
		}
		got, err := Mentions(context.Background(), log, nil)
		require.NoError(t, err)
		slices.SortStableFunc(want, func(a, b rundir.Mention) int { return cmp.Compare(*a.Offset, *b.Offset) })
		require.Equal(t, want, got, from)
		found += len(got)
	}
	require.Greater(t, found, 20, "the cases name files")
}

// TestMentionsOfALongLog: a record is found wherever a chunk ends, once.
func TestMentionsOfALongLog(t *testing.T) {
	const line = "Saving model checkpoint to out/checkpoint-500\n"
	pad := strings.Repeat("x", 99) + "\n"
	var log strings.Builder
	var at []int64
	for log.Len() < 3<<20 {
		log.WriteString(strings.Repeat(pad, 1301))
		log.WriteString("step\r" + strings.Repeat("y", log.Len()%31) + "\r")
		at = append(at, int64(log.Len()))
		log.WriteString(strings.Replace(line, "500", strings.Repeat("5", len(at)), 1))
	}
	path := filepath.Join(t.TempDir(), "run.log")
	require.NoError(t, os.WriteFile(path, []byte(log.String()), 0o600))
	got, err := Mentions(context.Background(), path, nil)
	require.NoError(t, err)
	require.Len(t, got, len(at))
	for i, m := range got {
		require.Equal(t, at[i], *m.Offset)
		require.Equal(t, "out/checkpoint-"+strings.Repeat("5", i+1), m.Path)
	}

	words, err := MentionWords()
	require.NoError(t, err)
	filter, err := scan.New(words, nil)
	require.NoError(t, err)
	var places []Stretch
	filter.Find([]byte(log.String()), func(pos, _ int) { places = AddPlace(places, int64(pos)) })
	require.Greater(t, len(places), 5, "they lie apart")
	there, err := Mentions(context.Background(), path, places)
	require.NoError(t, err)
	require.Equal(t, got, there)
	none, err := Mentions(context.Background(), path, []Stretch{})
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestMentionsOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.log")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	got, err := Mentions(context.Background(), path, nil)
	require.NoError(t, err)
	require.Empty(t, got)
	_, err = Mentions(context.Background(), path+"x", nil)
	require.ErrorIs(t, err, os.ErrNotExist)
}
