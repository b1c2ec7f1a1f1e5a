package python

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// who says that it ran, as a child or as a parent, and whether trainvet is there.
const who = `
import sys
def say(who):
    sys.stdout.write("%s %s\n" % (who, "trainvet.boot" in sys.modules))
    sys.stdout.flush()
`

// start runs an interpreter in the folder of the trainer, with input on its
// standard input.
func (tr *trainer) start(name, input string, argv ...string) string {
	tr.t.Helper()
	cmd := exec.Command(name, argv...)
	cmd.Dir = filepath.Join(tr.dir, "work")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(tr.dir, File)+tr.path(), "PYTHONDONTWRITEBYTECODE=1", "TRAINVET_RUN="+tr.dir)
	cmd.Env = append(cmd.Env, tr.env...)
	cmd.Stdin = strings.NewReader(input)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		tr.t.Fatalf("%v: %v\n%s", argv, err, out.String())
	}
	return out.String()
}

func (tr *trainer) file(name, text string) string {
	tr.t.Helper()
	path := filepath.Join(tr.dir, "work", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tr.t.Fatal(err)
	}
	return path
}

// processes counts the processes that have a boot, and those that have an end.
func (tr *trainer) processes() (booted, ended int) {
	tr.t.Helper()
	for _, r := range tr.records() {
		switch b := r.Body.(type) {
		case *record.Boot:
			if b.Why == "start" {
				booted++
			}
		case *record.End:
			ended++
		}
	}
	return booted, ended
}

// TestEveryWayIntoPython: however an interpreter is started, trainvet is there
// before the trainer; where it reads no PYTHONPATH it is not, and the trainer runs.
func TestEveryWayIntoPython(t *testing.T) {
	const said = "main True\n"
	main := who + "say('main')\n"
	for name, tt := range map[string]struct {
		files map[string]string
		input string
		argv  []string
		env   string
		want  string
		not   bool // no guard can be there
	}{
		"script":       {files: map[string]string{"train.py": main}, argv: []string{"train.py"}, want: said},
		"module":       {files: map[string]string{"pkg/__main__.py": main, "pkg/__init__.py": ""}, argv: []string{"-m", "pkg"}, want: said},
		"command":      {argv: []string{"-c", main}, want: said},
		"input":        {argv: []string{"-"}, input: main, want: said},
		"folder":       {files: map[string]string{"app/__main__.py": main}, argv: []string{"app"}, want: said},
		"unbuffered":   {files: map[string]string{"train.py": main}, argv: []string{"-u", "-B", "-W", "ignore", "train.py"}, want: said},
		"optimised":    {files: map[string]string{"train.py": main}, argv: []string{"-OO", "train.py"}, want: said},
		"no user site": {files: map[string]string{"train.py": main}, argv: []string{"-s", "train.py"}, want: said},
		"profiled":     {files: map[string]string{"train.py": main}, argv: []string{"-m", "cProfile", "-o", "stats", "train.py"}, want: said},
		"startup":      {files: map[string]string{"start.py": main}, argv: []string{"-i", "-c", "pass"}, env: "PYTHONSTARTUP=start.py"},
		"isolated":     {files: map[string]string{"train.py": main}, argv: []string{"-I", "train.py"}, want: "main False\n", not: true},
		"environment":  {files: map[string]string{"train.py": main}, argv: []string{"-E", "train.py"}, want: "main False\n", not: true},
		"no site":      {files: map[string]string{"train.py": main}, argv: []string{"-S", "train.py"}, want: "main False\n", not: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrainer(t)
			tr.file("here", "")
			for file, text := range tt.files {
				tr.file(file, text)
			}
			if tt.env != "" {
				tr.env = append(tr.env, tt.env)
			}
			got := tr.start(interpreter(t), tt.input, tt.argv...)
			if tt.want != "" && got != tt.want {
				t.Errorf("it said %q, want %q", got, tt.want)
			}
			booted, ended := tr.processes()
			want := 1
			if tt.not {
				want = 0
			}
			if booted != want || ended != want {
				t.Errorf("%d boots and %d ends, want %d", booted, ended, want)
			}
		})
	}
}

// TestZipOfATrainer: an application that is one zip, beside ours.
func TestZipOfATrainer(t *testing.T) {
	t.Parallel()
	tr := newTrainer(t)
	tr.file("app/__main__.py", who+"import inner\nsay(inner.NAME)\n")
	tr.file("app/inner.py", "NAME = 'main'\n")
	tr.env = []string{"TRAINVET=0"}
	tr.start(interpreter(t), "", "-m", "zipapp", "app", "-o", "app.pyz")
	tr.env = nil
	if got := tr.start(interpreter(t), "", "app.pyz"); got != "main True\n" {
		t.Errorf("it said %q", got)
	}
	if booted, ended := tr.processes(); booted != 1 || ended != 1 {
		t.Errorf("%d boots, %d ends", booted, ended)
	}
}

// TestAVirtualEnvironment has a sitecustomize of its own, as conda's have: it runs,
// behind ours.
func TestAVirtualEnvironment(t *testing.T) {
	t.Parallel()
	tr := newTrainer(t)
	tr.file("train.py", who+"import sitecustomize\nsay(sitecustomize.MARK)\n")
	tr.env = []string{"TRAINVET=0"}
	tr.start(interpreter(t), "", "-m", "venv", "--without-pip", "env")
	tr.env = nil
	own := filepath.Join(tr.dir, "work", "env", "bin", "python")
	folder := strings.TrimSpace(tr.start(own, "", "-I", "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"))
	if err := os.WriteFile(filepath.Join(folder, "sitecustomize.py"), []byte("MARK = 'theirs'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := tr.start(own, "", "train.py"); got != "theirs True\n" {
		t.Errorf("it said %q", got)
	}
	if booted, ended := tr.processes(); booted != 1 || ended != 1 {
		t.Errorf("%d boots, %d ends", booted, ended)
	}
}

// TestChildrenOfEveryKind: each of them has trainvet, and a record with a boot and
// an end where it wrote one.
func TestChildrenOfEveryKind(t *testing.T) {
	for name, tt := range map[string]struct {
		script   string
		children int // that begin anew, with a record of their own
	}{
		"subprocess": {`
import subprocess
subprocess.run([sys.executable, "-c", "import sys; sys.stdout.write('child %s\\n' % ('trainvet.boot' in sys.modules))"], check=True)
`, 1},
		"exec": {`
import os
if len(sys.argv) == 1:
    os.execv(sys.executable, [sys.executable, __file__, "again"])
say("child")
`, 1},
		"spawn": {`
import multiprocessing as mp
if __name__ == "__main__":
    p = mp.get_context("spawn").Process(target=say, args=("child",)); p.start(); p.join()
`, 1},
		"pool": {`
import concurrent.futures as f, multiprocessing as mp
if __name__ == "__main__":
    with f.ProcessPoolExecutor(1, mp_context=mp.get_context("spawn")) as pool:
        pool.submit(say, "child").result()
`, 1},
		"forkserver": {`
import multiprocessing as mp
if __name__ == "__main__":
    p = mp.get_context("forkserver").Process(target=say, args=("child",)); p.start(); p.join()
`, 0},
		"fork": {`
import multiprocessing as mp
if __name__ == "__main__":
    p = mp.get_context("fork").Process(target=say, args=("child",)); p.start(); p.join()
`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrainer(t)
			tr.file("train.py", who+tt.script)
			got := tr.start(interpreter(t), "", "train.py")
			if !strings.Contains(got, "child True\n") {
				t.Errorf("it said %q", got)
			}
			booted, ended := tr.processes()
			if booted < 1+tt.children || name == "exec" && ended != 1 || name != "exec" && ended < 1+tt.children {
				t.Errorf("%d boots and %d ends, want those of %d children", booted, ended, tt.children)
			}
		})
	}
}
