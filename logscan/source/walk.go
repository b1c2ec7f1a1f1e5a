package source

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// walker walks one folder that was named.
type walker struct {
	e     *expander
	root  string
	trail map[string]bool // resolved folders above the current one
}

// folder visits the folder at path, which lies at rel below the root. Real
// entries come before links, so that a link to a file beside it ("latest")
// does not give the file its name. runDir is the run directory around it.
func (w *walker) folder(path, rel, runDir string) error {
	if err := w.e.ctx.Err(); err != nil {
		return err
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		w.e.unread(filepath.ToSlash(path), reason(err))
		return nil
	}
	if abs, err := filepath.Abs(resolved); err == nil {
		resolved = abs
	}
	switch {
	case w.trail[resolved]:
		w.e.unread(filepath.ToSlash(path), "a link that leads back to a folder above it")
		return nil
	case w.e.seen[resolved]:
		return nil
	}
	w.e.seen[resolved] = true
	w.trail[resolved] = true
	defer delete(w.trail, resolved)

	entries, err := os.ReadDir(path)
	if err != nil {
		w.e.unread(filepath.ToSlash(path), reason(err))
	}
	if isRunDir(path, entries) {
		runDir = path
		w.e.runDir(path)
	}
	for _, links := range [...]bool{false, true} {
		for _, entry := range entries {
			if (entry.Type()&fs.ModeSymlink != 0) != links {
				continue
			}
			if err := w.entry(path, rel, resolved, runDir, entry); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walker) entry(dir, rel, resolved, runDir string, entry fs.DirEntry) error {
	path := filepath.Join(dir, entry.Name())
	rel = strings.TrimPrefix(rel+"/"+entry.Name(), "/")
	mode := entry.Type()
	real := filepath.Join(resolved, entry.Name())
	if mode&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err != nil {
			w.e.unread(filepath.ToSlash(path), linkReason(path, err))
			return nil
		}
		mode = info.Mode().Type()
		if r, err := filepath.EvalSymlinks(path); err == nil {
			real = r
		}
	}
	switch {
	case mode.IsDir():
		if w.e.names.folders[strings.ToLower(entry.Name())] {
			return nil
		}
		return w.folder(path, rel, runDir)
	case mode != 0:
		w.e.unread(filepath.ToSlash(path), special(mode))
		return nil
	}
	if w.e.files++; w.e.files > w.e.opt.MaxFiles {
		if w.e.files == w.e.opt.MaxFiles+1 {
			w.e.unread(filepath.ToSlash(w.root), "more files than are looked at: name a narrower folder")
		}
		return nil
	}
	if runDir != "" && isRunFile(runDir, path) {
		return nil
	}
	f := found{
		Input: Input{ID: filepath.ToSlash(path), Path: path},
		root:  w.root, rel: rel, runOf: runDir,
	}
	if info, err := entry.Info(); err == nil {
		f.Size = info.Size()
	}
	w.e.file(f, real)
	return nil
}

// linkReason tells a loop of links from a link to nothing.
func linkReason(path string, err error) string {
	if _, e := os.Lstat(path); e == nil && strings.Contains(reason(err), "too many") {
		return "a link that leads back to itself"
	}
	return reason(err)
}

// A trainvet run directory has a manifest, a sidecar or a trailer that says so,
// or at least records of guards; package rundir reads them. One whose manifest
// is gone or damaged is a run directory still, and not whole.
const (
	manifestName = "manifest.json"
	recordsName  = "records"
)

// runSigns are the keys by which a file of a run directory is known.
func runSigns() map[string][]string {
	return map[string][]string{
		manifestName:    {"trainvet"},
		"trailer.json":  {"version", "id", "wall", "manifest", "files"},
		"sidecar.jsonl": {"v", "type", "wall", "mono", "seq"},
	}
}

func isRunDir(path string, entries []fs.DirEntry) bool {
	signs := runSigns()
	for _, entry := range entries {
		keys := signs[entry.Name()]
		switch {
		case keys != nil && entry.Type().IsRegular() && holdsKeys(filepath.Join(path, entry.Name()), keys):
			return true
		case entry.Name() == recordsName && entry.IsDir() && holdsRecords(filepath.Join(path, recordsName)):
			return true
		}
	}
	return false
}

// holdsRecords: others keep a folder of that name too, so a file must begin as
// a run record does.
func holdsRecords(dir string) bool {
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return false
	}
	for _, name := range names {
		if holdsKeys(name, []string{"v", "type", "pid", "seq", "data"}) {
			return true
		}
	}
	return false
}

func holdsKeys(path string, keys []string) bool {
	there := headKeys(path)
	return !slices.ContainsFunc(keys, func(k string) bool { return !there[k] })
}

// headKeys are the keys of the JSON object that a file begins with.
func headKeys(path string) map[string]bool {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, sniffSize))
	if len(head) == 0 || head[0] != '{' {
		return nil
	}
	keys, _, _ := objectKeys(head)
	return keys
}

// isRunFile says whether a file of a run directory is trainvet's own record
// and no log.
func isRunFile(runDir, path string) bool {
	rel, err := filepath.Rel(runDir, path)
	if err != nil {
		return false
	}
	rel = filepath.ToSlash(rel)
	return strings.HasPrefix(rel, "records/") || strings.HasSuffix(rel, ".tvr") ||
		!strings.Contains(rel, "/") && (strings.HasSuffix(rel, ".json") || rel == "sidecar.jsonl")
}

func (e *expander) runDir(path string) {
	if e.set.RunDir == "" {
		e.set.RunDir = path
	}
	e.runDirs = append(e.runDirs, readRunDir(path))
}
