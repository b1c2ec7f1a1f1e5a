package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// source is one Go file of the repository.
type source struct {
	path  string // from the root, with slashes
	dir   string
	test  bool
	lines int
	ast   *ast.File
}

// readTree parses every Go file that is built: testdata and folders that begin
// with a dot or an underscore are not.
func readTree(t *testing.T) []source {
	t.Helper()
	var files []source
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != root && (base == "testdata" || base == "bin" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		files = append(files, source{
			path: rel, dir: path.Dir(rel), test: strings.HasSuffix(base, "_test.go"),
			lines: bytes.Count(text, []byte("\n")), ast: f,
		})
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func (s source) imports() []string {
	var out []string
	for _, i := range s.ast.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err == nil {
			out = append(out, p)
		}
	}
	return out
}

func within(p, part string) bool { return p == part || strings.HasPrefix(p, part+"/") }

// place finds the layer of a folder.
func place(dir string) (layer, bool) {
	var best layer
	for _, l := range layers {
		if within(dir, l.path) && len(l.path) > len(best.path) {
			best = l
		}
	}
	return best, best.path != ""
}

func TestImportsRunDownwards(t *testing.T) {
	t.Parallel()
	for _, f := range readTree(t) {
		if f.dir == "." {
			continue
		}
		from, ok := place(f.dir)
		if !ok {
			t.Errorf("%s: its folder has no place in layers_test.go", f.path)
			continue
		}
		for _, imported := range f.imports() {
			if wrong := judge(f, from, imported); wrong != "" {
				t.Errorf("%s imports %s: %s", f.path, imported, wrong)
			}
		}
	}
}

// judge says what is wrong with an import. Tests may reach across their own
// level, since nothing imports them.
func judge(f source, from layer, imported string) string {
	local, ours := strings.CutPrefix(imported, module+"/")
	for _, n := range never {
		if within(f.dir, n.from) && !f.test && (within(local, n.to) && ours || within(imported, n.to)) {
			return n.why
		}
	}
	for pkg, part := range only {
		if strings.HasPrefix(imported, pkg) && !within(f.dir, part) {
			return "only " + part + " may"
		}
	}
	if !ours || f.test {
		return ""
	}
	to, ok := place(local)
	switch {
	case !ok:
		return "its folder has no place in layers_test.go"
	case to.level < from.level, to.path == from.path:
		return ""
	}
	return fmt.Sprintf("%s (level %d) does not lie below %s (level %d)", to.path, to.level, from.path, from.level)
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	t.Parallel()
	said := map[string]string{}
	names := map[string]string{}
	for _, f := range readTree(t) {
		if f.test {
			continue
		}
		names[f.dir] = f.ast.Name.Name
		if f.ast.Doc != nil {
			said[f.dir] += f.ast.Doc.Text()
		}
	}
	for dir, name := range names {
		want := "Package " + name
		if name == "main" {
			want = "Command " + path.Base(dir)
		}
		if !strings.HasPrefix(said[dir], want+" ") && said[dir] != "" && name == "main" {
			continue // a program that is run by go generate may begin as it likes
		}
		if !strings.Contains(said[dir], want+" ") {
			t.Errorf("%s has no package comment that begins %q", dir, want)
		}
		if slices.Contains([]string{"util", "utils", "common", "helpers"}, name) {
			t.Errorf("%s: a package is named after what it is about", dir)
		}
	}
}

func TestFilesStayShort(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range readTree(t) {
		seen[f.path] = true
		if f.lines > maxLines && long[f.path] == "" && !ast.IsGenerated(f.ast) {
			t.Errorf("%s has %d lines: one concept a file, or a reason in layers_test.go", f.path, f.lines)
		}
	}
	for name := range long {
		if !seen[name] {
			t.Errorf("layers_test.go lists %s, which is not there", name)
		}
	}
}

// TestOnlyMainEnds holds that no library ends the process or acts on import.
func TestOnlyMainEnds(t *testing.T) {
	t.Parallel()
	ends := map[string][]string{"os": {"Exit"}, "log": {"Fatal", "Fatalf", "Fatalln"}}
	for _, f := range readTree(t) {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && slices.Contains(ends[x.Name], n.Sel.Name) && f.ast.Name.Name != "main" {
					t.Errorf("%s calls %s.%s: only main ends the process", f.path, x.Name, n.Sel.Name)
				}
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil && inits[f.path] == "" {
					t.Errorf("%s has an init function", f.path)
				}
			}
			return true
		})
	}
}

// modules lists the folders of all go.mod files.
func modules(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.Name() == "go.mod":
			dirs = append(dirs, filepath.Dir(name))
		}
		return nil
	})
	require.NoError(t, err)
	return dirs
}

func TestModulesAreTidy(t *testing.T) {
	t.Parallel()
	for _, dir := range modules(t) {
		cmd := exec.Command("go", "mod", "tidy", "-diff")
		cmd.Dir = dir
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		switch {
		case err == nil:
		case out.Len() > 0:
			t.Errorf("%s/go.mod is not tidy:\n%s", dir, out.String())
		default: // a module that tests of our requirements need could not be fetched
			t.Skipf("not checked in %s: %v\n%s", dir, err, errs.String())
		}
	}
}

// TestNoNetwork holds that the binary cannot talk to anybody: what it reads may
// be secret.
func TestNoNetwork(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "list", "-deps", "./cmd/trainvet")
	cmd.Dir = root
	out, err := cmd.Output()
	require.NoError(t, err)
	for _, pkg := range []string{"net", "net/http", "crypto/tls"} {
		require.NotContains(t, strings.Split(string(out), "\n"), pkg)
	}
}

// TestGuardsStandAlone holds what lets any trainer link the guards.
func TestGuardsStandAlone(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "guards", "go.mod"))
	require.NoError(t, err)
	require.Regexp(t, regexp.MustCompile(`(?m)^go 1\.24(\.0)?$`), string(text))
	require.NotRegexp(t, regexp.MustCompile(`(?m)^\s*(require|replace|toolchain|tool)\b`), string(text))
	for _, f := range readTree(t) {
		if !within(f.dir, "guards") || within(f.dir, "guards/gomlx") {
			continue
		}
		for _, imported := range f.imports() {
			first, _, _ := strings.Cut(imported, "/")
			if strings.Contains(first, ".") && !within(imported, module+"/guards") {
				t.Errorf("%s imports %s: guards stands alone", f.path, imported)
			}
		}
	}
}
