package since

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

// repo is a work tree with one commit.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T, files map[string]string) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	r := repo{t, t.TempDir()}
	r.git("init", "-q")
	for name, text := range files {
		r.write(name, text)
	}
	r.git("add", "-A")
	r.git("commit", "-qm", "first")
	return r
}

func (r repo) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, string(out))
}

func (r repo) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r.t, os.WriteFile(path, []byte(text), 0o644))
}

func (r repo) lines(root string) *Lines {
	r.t.Helper()
	l, err := Load(context.Background(), filepath.Join(r.dir, root), "HEAD")
	require.NoError(r.t, err)
	return l
}

func at(file string, line, last int) site.Site {
	return site.Site{At: site.Position{File: file, Line: line}, End: site.Position{File: file, Line: last}}
}

const train = `package p

func a() {
	first()
	tok.Decode(
		ids,
	)
	last()
}

func b() {
	opt.Step()
	report()
	again()
}
`

func TestNew(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(r repo)
		file   string
		line   int // of tok.Decode( to its end two lines below
		want   bool
	}{
		"nothing":         {func(repo) {}, "a.go", 5, false},
		"a line above":    {func(r repo) { r.write("a.go", strings.Replace(train, "first()", "zero()\n\tfirst()", 1)) }, "a.go", 6, false},
		"its first line":  {func(r repo) { r.write("a.go", strings.Replace(train, "tok.Decode", "tok.DecodeErr", 1)) }, "a.go", 5, true},
		"its argument":    {func(r repo) { r.write("a.go", strings.Replace(train, "ids,", "other,", 1)) }, "a.go", 5, true},
		"the line behind": {func(r repo) { r.write("a.go", strings.Replace(train, "last()", "end()", 1)) }, "a.go", 5, false},
		"indentation":     {func(r repo) { r.write("a.go", strings.ReplaceAll(train, "\t", "        ")) }, "a.go", 5, false},
		"line ends":       {func(r repo) { r.write("a.go", strings.ReplaceAll(train, "\n", "\r\n")) }, "a.go", 5, false},
		"renamed file":    {func(r repo) { r.git("mv", "a.go", "new.go") }, "new.go", 5, false},
		"renamed, not added": {func(r repo) {
			require.NoError(r.t, os.Rename(filepath.Join(r.dir, "a.go"), filepath.Join(r.dir, "new.go")))
		}, "new.go", 5, true},
		"untracked": {func(r repo) { r.write("u.go", train) }, "u.go", 5, true},
		"staged": {func(r repo) {
			r.write("u.go", "package u\n\nfunc x() {\n\tanother()\n\ttok.Decode(\n\t\tthings,\n\t)\n}\n")
			r.git("add", "u.go")
		}, "u.go", 5, true},
		"moved down": {func(r repo) {
			head, rest, _ := strings.Cut(train, "\n\nfunc b()")
			_, fn, _ := strings.Cut(head, "\n\n")
			r.write("a.go", "package p\n\nfunc b()"+rest+"\n"+fn+"\n")
		}, "a.go", 11, false},
		"a copy": {func(r repo) {
			_, fn, _ := strings.Cut(strings.Replace(train, "func a", "func c", 1), "\n\n")
			r.write("a.go", train+"\n"+fn)
		}, "a.go", 19, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, map[string]string{"a.go": train, "b.go": "package p\n"})
			tt.change(r)
			require.Equal(t, tt.want, r.lines("").New(at(tt.file, tt.line, tt.line+2)))
		})
	}
}

// TestBlockGoesToAnotherFile: three lines make a block, one does not.
func TestBlockGoesToAnotherFile(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"a.go": train, "b.go": "package p\n"})
	head, rest, _ := strings.Cut(train, "\n\nfunc b()")
	r.write("a.go", head+"\n")
	r.write("b.go", "package p\n\nfunc b()"+rest)
	require.False(t, r.lines("").New(at("b.go", 4, 4)))

	single := newRepo(t, map[string]string{"a.go": train, "b.go": "package p\n\nfunc c() {\n}\n"})
	single.write("a.go", strings.Replace(train, "\topt.Step()\n", "", 1))
	single.write("b.go", "package p\n\nfunc c() {\n\topt.Step()\n}\n")
	require.True(t, single.lines("").New(at("b.go", 4, 4)))
}

// TestEachLineMovesOnce: one block that went does not make two old.
func TestEachLineMovesOnce(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"a.go": train, "b.go": "package p\n", "c.go": "package p\n"})
	head, rest, _ := strings.Cut(train, "\n\nfunc b()")
	r.write("a.go", head+"\n")
	r.write("b.go", "package p\n\nfunc b()"+rest)
	r.write("c.go", "package p\n\nfunc b()"+rest)
	l := r.lines("")
	require.NotEqual(t, l.New(at("b.go", 4, 4)), l.New(at("c.go", 4, 4)))
}

func TestBelowTheRepository(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"top.go": train, "sub dir/ü.go": train})
	r.write("sub dir/ü.go", strings.Replace(train, "opt.Step()", "opt.BackwardStep()", 1))
	l := r.lines("sub dir")
	require.False(t, l.New(at("ü.go", 5, 7)))
	require.True(t, l.New(at("ü.go", 12, 12)))
	require.True(t, l.New(at("ü.go", 0, 0)), "a whole file that was changed")
	require.True(t, l.New(at("/abs/z.go", 1, 1)))
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"a.go": train})
	for rev, want := range map[string]string{"nowhere": "no such commit", "--output=x": "no revision", "HEAD:a.go": "no such commit"} {
		_, err := Load(context.Background(), r.dir, rev)
		var wrong *RevisionError
		require.ErrorAs(t, err, &wrong, rev)
		require.Contains(t, wrong.Text, want)
	}
	_, err := Load(context.Background(), t.TempDir(), "HEAD")
	require.Error(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Load(ctx, r.dir, "HEAD")
	require.ErrorIs(t, err, context.Canceled)
}

func FuzzParse(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +2,3 @@ f\n-old\n+a\n+b\n+c\n")
	f.Add("diff --git a/x b/x\n+++ \"b/\\303\\274\"\n@@ -0,0 +1 @@\n+++ b/evil\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, spans := range added(parse(text)) {
			for _, s := range spans {
				if s.from > s.to {
					t.Fatalf("%v", s)
				}
			}
		}
	})
}

func TestFile(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"sub/l": "old\n"})
	r.write("sub/l", "new\n")
	text, ok, err := File(context.Background(), filepath.Join(r.dir, "sub"), "HEAD", "l")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "old\n", string(text))
	_, ok, err = File(context.Background(), r.dir, "HEAD", "l")
	require.NoError(t, err)
	require.False(t, ok)
	_, _, err = File(context.Background(), r.dir, "nowhere", "l")
	var wrong *RevisionError
	require.ErrorAs(t, err, &wrong)
}
