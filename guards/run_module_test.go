package guards

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const modulePath = "github.com/trainvet/trainvet/guards"

// tool runs the go command without the network and without a workspace.
func tool(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestOnlyTheStandardLibrary holds what lets any trainer link the guards.
func TestOnlyTheStandardLibrary(t *testing.T) {
	for _, dep := range strings.Fields(tool(t, ".", nil, "list", "-deps", "./...")) {
		first, _, _ := strings.Cut(dep, "/")
		if strings.Contains(first, ".") && dep != modulePath && !strings.HasPrefix(dep, modulePath+"/") {
			t.Errorf("%s is no package of the standard library", dep)
		}
	}
	for _, heavy := range []string{"net", "os/exec", "plugin"} {
		for _, dep := range strings.Fields(tool(t, ".", nil, "list", "-deps", ".", "./record")) {
			if dep == heavy {
				t.Errorf("a trainer gets %s by linking the guards", heavy)
			}
		}
	}
}

// TestTrainerWithAnOldGoKeepsItsGoMod does `go get` of this module in a trainer
// of go 1.24: no newer Go is asked for, and nothing else comes with it.
func TestTrainerWithAnOldGoKeepsItsGoMod(t *testing.T) {
	proxy, dir := publish(t), t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const before = "module example.com/trainer\n\ngo 1.24\n"
	write("go.mod", before)
	write("main.go", `package main

import "`+modulePath+`"

func main() {
	steps := guards.NewSteps("SGD")
	steps.Apply(1)
	if guards.Close() != nil {
		panic("a fault")
	}
}
`)
	env := []string{"GOPROXY=file://" + filepath.ToSlash(proxy), "GONOSUMDB=*", "GOFLAGS=-modcacherw", "GOMODCACHE=" + t.TempDir()}
	tool(t, dir, env, "get", modulePath+"@v0.1.0")
	tool(t, dir, env, "mod", "tidy")
	tool(t, dir, env, "build", "-o", os.DevNull, ".")
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if want := before + "\nrequire " + modulePath + " v0.1.0\n"; string(text) != want {
		t.Errorf("go.mod became\n%s", text)
	}
}

// publish writes this module into a folder that serves as a module proxy.
func publish(t *testing.T) string {
	t.Helper()
	proxy := t.TempDir()
	dir := filepath.Join(proxy, filepath.FromSlash(modulePath), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"list": "v0.1.0\n", "v0.1.0.info": `{"Version":"v0.1.0"}`, "v0.1.0.mod": string(mod), "v0.1.0.zip": string(zipped(t))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return proxy
}

// zipped is the module as a proxy hands it out: without the modules below it.
func zipped(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != "." {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w, err := z.Create(modulePath + "@v0.1.0/" + filepath.ToSlash(path))
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGoModAsksForNothing: the directive that the test above relies on.
func TestGoModAsksForNothing(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); got != "module "+modulePath+"\n\ngo 1.24\n" {
		t.Errorf("go.mod is\n%s", got)
	}
}
