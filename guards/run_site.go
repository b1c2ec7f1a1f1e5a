package guards

import (
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/trainvet/trainvet/guards/record"
)

// addSite registers a place that is checked from now on and returns its number.
func (r *Run) addSite(s record.Site) int {
	r.mu.Lock()
	s.Site = len(r.sites) + 1
	r.sites = append(r.sites, s)
	r.mu.Unlock()
	if r.out != nil && r.out.Opened() {
		r.write(&s)
	}
	return s.Site
}

// siteName is how errors name a site; empty for no site.
func (r *Run) siteName(n int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n < 1 || n > len(r.sites) {
		return ""
	}
	return r.sites[n-1].Name
}

// callerSite fills in who called: skip 0 is the caller of callerSite's caller.
// The file is named by its package's path, which is the same on every machine.
func callerSite(s record.Site, skip int) record.Site {
	pc, file, line, ok := runtime.Caller(skip + 2)
	if !ok {
		return s
	}
	s.File, s.Line = filepath.Base(file), line
	if f := runtime.FuncForPC(pc); f != nil {
		s.Function = f.Name()
		dir, name := path.Split(f.Name())
		pkg, _, _ := strings.Cut(name, ".")
		s.File = path.Join(packagePath(dir, pkg), s.File)
	}
	return s
}

// packagePath is the import path of a package by the name that functions carry.
// The program's own package is called main there, whatever its path.
func packagePath(dir, pkg string) string {
	if info, ok := debug.ReadBuildInfo(); ok && dir == "" && pkg == "main" && info.Path != "command-line-arguments" {
		return info.Path
	}
	return path.Join(dir, pkg)
}
