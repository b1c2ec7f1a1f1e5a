//go:build unix

package supervise

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/trainvet/trainvet/guards/python"
)

// program is what is known of the file that is to be started.
type program struct {
	path   string
	python bool
	golang bool // its standard output has no buffer
}

func inspect(path string) program {
	first := firstLine(path)
	p := program{path: path, python: isPython(path, first)}
	if info, err := buildinfo.ReadFile(path); err == nil && info != nil {
		p.golang = true
	}
	return p
}

// firstLine of a script; empty for a binary.
func firstLine(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, 256)
	n, err := io.ReadFull(f, b)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	line, _, _ := strings.Cut(string(b[:n]), "\n")
	if !strings.HasPrefix(line, "#!") {
		return ""
	}
	return strings.TrimSpace(line)
}

// writePython puts the bootstrap into the run directory.
func writePython(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, python.File), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("writing the Python guards: %w", err)
	}
	return errors.Join(python.Write(f), f.Close())
}

// blind reports flags by which an interpreter looks at no PYTHONPATH.
func blind(argv []string) bool {
	for _, a := range argv[1:] {
		if !strings.HasPrefix(a, "-") || strings.HasPrefix(a, "--") || a == "-c" || a == "-m" {
			return false
		}
		if strings.ContainsAny(a, "EIS") {
			return true
		}
	}
	return false
}

// environment is the child's: the caller's, and what lets Python processes
// below find the run. Nothing that a user set is taken away.
func environment(caller []string, dir, sink, onFault string) []string {
	value := func(name string) string {
		for i := len(caller) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(caller[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
	env := replaced(caller, "TRAINVET_RUN", dir)
	if value(python.Off) == "0" {
		return env
	}
	path := filepath.Join(dir, python.File)
	if old := value("PYTHONPATH"); old != "" {
		path += string(os.PathListSeparator) + old
	}
	env = replaced(replaced(env, "PYTHONPATH", path), python.EnvSink, sink)
	if onFault == Stop {
		env = replaced(env, python.EnvOnFault, onFault)
	}
	if value("PYTHONFAULTHANDLER") == "" {
		env = append(env, "PYTHONFAULTHANDLER=1")
	}
	return env
}

// told is env with variables of the guards.
func told(env, vars []string) []string {
	for _, v := range vars {
		name, value, _ := strings.Cut(v, "=")
		env = replaced(env, name, value)
	}
	return env
}

// replaced is env with one value of a name: of two a C library reads the first,
// and the process is started without exec.Cmd, which would drop it.
func replaced(env []string, name, value string) []string {
	out := make([]string, 0, len(env)+1)
	for _, v := range env {
		if !strings.HasPrefix(v, name+"=") {
			out = append(out, v)
		}
	}
	return append(out, name+"="+value)
}
