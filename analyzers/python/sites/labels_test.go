package sites

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// label is a call that a person has read.
type label struct {
	repo, file string
	line, col  int
	want       string // token, latent, bytes, asr, strtok, other
}

// readLabels reads rows of repo, file, line, label, why, column.
func readLabels(t *testing.T, name string) []label {
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	var out []label
	s := bufio.NewScanner(f)
	for i := 0; s.Scan(); i++ {
		c := strings.Split(s.Text(), "\t")
		if i == 0 || len(c) < 6 {
			continue
		}
		line, err := strconv.Atoi(c[2])
		require.NoError(t, err)
		col, err := strconv.Atoi(c[5])
		require.NoError(t, err)
		out = append(out, label{c[0], c[1], line, col, c[3]})
	}
	require.NoError(t, s.Err())
	return out
}

// TestLabels holds the rules against calls that people read, over trees that
// are not part of the repository: TRAINVET_LABELS names the table, and
// TRAINVET_REPOS the folder that holds the trees.
func TestLabels(t *testing.T) {
	table, repos := os.Getenv("TRAINVET_LABELS"), os.Getenv("TRAINVET_REPOS")
	if table == "" || repos == "" {
		t.Skip("TRAINVET_LABELS and TRAINVET_REPOS are not set: the labelled calls lie in public repositories that are not here")
	}
	var hit, missed, extra, strings, unread int
	for _, l := range readLabels(t, table) {
		src, err := os.ReadFile(filepath.Join(repos, l.repo, l.file))
		if err != nil {
			unread++
			continue
		}
		file := syntax.Parse(src)
		var table names.Table
		table.Build(&file.Tree)
		f := NewFinder()
		found := f.Find(&file.Tree, &table)
		call := callAt(&file.Tree, l)
		if call == 0 {
			t.Errorf("%s/%s:%d: no call stands there", l.repo, l.file, l.line)
			continue
		}
		fun := f.function(call)
		f.left = budget
		v := verdict{sort: other, by: "its name"}
		if f.known.calls[f.tail(fun)] == decodeCall {
			v = f.judge(call, fun, f.tail(fun))
		}
		got := slices.ContainsFunc(found.Sites, func(s Site) bool { return s.Call == call && s.Kind == site.Decode })
		where := fmt.Sprintf("%s %s:%d %q is %s, judged %s by %s", l.repo, l.file, l.line, file.Source(call), l.want, sortNames[v.sort], v.by)
		switch {
		case l.want == "strtok":
			strings++
			if got {
				t.Log("text: ", where)
			}
		case got && l.want == "token":
			hit++
		case l.want == "token":
			missed++
			t.Log("missed: ", where)
		case got:
			extra++
			t.Log("extra: ", where)
		case sortNames[v.sort] != l.want:
			t.Log("other sort: ", where)
		}
	}
	precision, recall := float64(hit)/float64(hit+extra), float64(hit)/float64(hit+missed)
	t.Logf("%d decodes found, %d missed, %d others taken for one, %d of text set aside, %d files unread: precision %.3f, recall %.3f", hit, missed, extra, strings, unread, precision, recall)
	require.GreaterOrEqual(t, precision, 0.95)
	require.GreaterOrEqual(t, recall, 0.97)
}

var sortNames = map[sort]string{unclear: "unclear", token: "token", processor: "processor", pieces: "strtok", latent: "latent", raw: "bytes", speech: "asr", network: "other", other: "other"}

var decodeLike = regexp.MustCompile(`decode|detokeniz|ids?_to_|ids?2|vec2|idto|idsto`)

// callAt finds the decode call at a place: the outermost that begins there.
func callAt(tree *syntax.Tree, l label) syntax.Node {
	best := syntax.Node(0)
	for n := tree.Root(); int(n) < tree.Len(); n++ {
		if tree.Kind(n) != syntax.Call || tree.Parent(n) == 0 {
			continue
		}
		p := tree.Pos(n)
		name := strings.ToLower(string(tree.Name(tree.Child(n, syntax.RoleFunc))))
		if p.Line == l.line && p.Column == l.col && decodeLike.MatchString(name) {
			best = n
		}
	}
	return best
}
