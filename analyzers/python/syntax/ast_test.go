package syntax

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/dump.py
var dumpScript string

// raced: under the race detector, which finds nothing more in the second thousand
// files than in the first: nothing here runs at the same time.
var raced bool

// few: a part of the files and mutations is enough.
func few() bool { return testing.Short() || raced }

// pythons are the interpreters to compare with: python3 of PATH, or those that
// TRAINVET_PYTHONS lists.
func pythons(t testing.TB) []string {
	t.Helper()
	if list := os.Getenv("TRAINVET_PYTHONS"); list != "" {
		return filepath.SplitList(list)
	}
	name, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("not compared with CPython: no python3 on PATH")
	}
	return []string{name}
}

// python runs a script and gives what it printed.
func python(t testing.TB, interpreter, script string, stdin string) []byte {
	t.Helper()
	cmd := exec.Command(interpreter, "-I", "-c", script)
	cmd.Stdin = strings.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s", interpreter, errs.String())
	return out
}

// libraries are the folders to compare: the standard library, or those that
// TRAINVET_PYTHON_TREES lists.
func libraries(t testing.TB, interpreter string) []string {
	t.Helper()
	if list := os.Getenv("TRAINVET_PYTHON_TREES"); list != "" {
		return filepath.SplitList(list)
	}
	out := python(t, interpreter, "import sysconfig; print(sysconfig.get_paths()['stdlib'])", "")
	return []string{strings.TrimSpace(string(out))}
}

func pythonFiles(t testing.TB, roots []string) []string {
	t.Helper()
	var files []string
	for _, root := range roots {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "site-packages" && name != root {
				return filepath.SkipDir
			}
			if d.Type().IsRegular() && strings.HasSuffix(name, ".py") {
				files = append(files, name)
			}
			return nil
		})
		require.NoError(t, err)
	}
	slices.Sort(files)
	if few() && len(files) > 100 {
		var some []string
		for i := 0; i < len(files); i += len(files) / 60 {
			some = append(some, files[i])
		}
		return some
	}
	return files
}

// TestSameAsCPython holds structure, positions, names and values against
// CPython's own ast, over its standard library.
func TestSameAsCPython(t *testing.T) {
	for _, interpreter := range pythons(t) {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(interpreter))), func(t *testing.T) {
			files := pythonFiles(t, libraries(t, interpreter))
			c := comparison{t: t}
			c.run(interpreter, files)
			t.Logf("%d files, %d nodes, %d rejected by both, %d differences named", c.files, c.nodes, c.bad, c.named)
			require.NotZero(t, c.files)
		})
	}
}

type comparison struct {
	t                        *testing.T
	p                        Parser
	major, minor             int
	files, nodes, bad, named int
}

func (c *comparison) run(interpreter string, files []string) {
	t := c.t
	cmd := exec.Command(interpreter, "-I", "-c", dumpScript)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	in := bufio.NewReaderSize(out, 1<<20)
	_, err = fmt.Fscanf(in, "=version %d %d\n", &c.major, &c.minor)
	require.NoError(t, err)
	for _, name := range files {
		c.file(name, in)
	}
	require.NoError(t, cmd.Wait())
}

func readLine(t *testing.T, in *bufio.Reader) []byte {
	line, err := in.ReadBytes('\n')
	require.NoError(t, err)
	return bytes.TrimSuffix(line, []byte("\n"))
}

func (c *comparison) file(name string, in *bufio.Reader) {
	t := c.t
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	f := c.p.Parse(src)
	status := string(readLine(t, in))
	var ours bytes.Buffer
	if f.Valid() {
		newDumper(&ours, &f.Tree, c.major, c.minor).dump()
	}
	c.files++
	ok := strings.HasPrefix(status, "=ok")
	if ok != f.Valid() {
		c.verdict(name, status, f)
	} else if !ok {
		c.bad++
	}
	lines := bytes.Split(bytes.TrimSuffix(ours.Bytes(), []byte("\n")), []byte("\n"))
	reported := 0
	for i := 0; ; i++ {
		theirs := readLine(t, in)
		if string(theirs) == "=end" {
			if ok && f.Valid() && i != len(lines) && reported == 0 {
				t.Errorf("%s: %d nodes, CPython has %d", name, len(lines), i)
			}
			return
		}
		c.nodes++
		if !ok || !f.Valid() || reported > 0 {
			continue
		}
		if i >= len(lines) || !sameLine(lines[i], theirs) {
			reported++
			mine := []byte("nothing")
			if i < len(lines) {
				mine = lines[i]
			}
			t.Errorf("%s: node %d\n  ours  %s\n  theirs %s", name, i, mine, theirs)
		}
	}
}

// verdict is called where one side alone takes a file.
func (c *comparison) verdict(name, status string, f *File) {
	if why := knownDifference(f, status, c.major*100+c.minor); why != "" {
		c.t.Logf("%s: %s", name, why)
		c.named++
		return
	}
	if f.Valid() {
		c.t.Errorf("%s: read, but CPython: %s", name, status)
		return
	}
	c.t.Errorf("%s: %v, but CPython reads it", name, f.Errors[0])
}
