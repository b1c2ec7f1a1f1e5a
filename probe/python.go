package probe

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// FindPython returns the interpreter that a trainer would be started with: the
// one that was named, that of the active virtual environment, or the first in
// the PATH. It is not started.
func FindPython(named string, env func(string) string) (path, why string) {
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", "python: " + err.Error()
		}
		return path, ""
	}
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := env(variable); dir != "" {
			path := filepath.Join(dir, "bin", "python")
			if runtime.GOOS == "windows" {
				path = filepath.Join(dir, "Scripts", "python.exe")
			}
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path, ""
			}
		}
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, ""
		}
	}
	return "", "there is no Python in the PATH (--python names one): train, parity, transfer and dtype were not run"
}
