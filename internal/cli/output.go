package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/term"
)

// stream is standard output. A reader that has gone away (head, a pager) is no
// error: the rest is dropped, and the exit code stays that of the work. Any
// other failure is kept for the end.
type stream struct {
	w   io.Writer
	err error
	off bool
}

func (s *stream) Write(p []byte) (int, error) {
	if s.off {
		return len(p), nil
	}
	n, err := s.w.Write(p)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, syscall.EPIPE):
	default:
		s.err = err
	}
	s.off = true
	return len(p), nil
}

// file is the target of --output: it appears under its name by rename, whole,
// or not at all.
type file struct {
	*os.File
	target string // empty: written in place
	done   bool
}

func create(name string) (*file, error) {
	// A link stays a link: what it points at is replaced.
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return inPlace(name, info)
	}
	f, err := os.OpenFile(fmt.Sprintf("%s.%d.part", name, os.Getpid()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, err)
	}
	return &file{File: f, target: name}, nil
}

// inPlace opens devices and pipes, which cannot be replaced.
func inPlace(name string, info os.FileInfo) (*file, error) {
	if info.IsDir() {
		return nil, fmt.Errorf("writing %s: it is a folder", name)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("writing: %w", err)
	}
	return &file{File: f}, nil
}

func (f *file) commit() error {
	err := f.Close()
	if err == nil && f.target != "" {
		err = os.Rename(f.Name(), f.target)
	}
	if err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	f.done = true
	return nil
}

// discard removes what was written; after commit it does nothing.
func (f *file) discard() {
	if f.done {
		return
	}
	f.Close()
	if f.target != "" {
		os.Remove(f.Name())
	}
}

// color decides whether output is coloured: what the user says, else only a
// terminal that can.
func (a *App) color(when, output string) bool {
	switch when {
	case "always":
		return true
	case "never":
		return false
	}
	_, terminal := a.terminal(output)
	return terminal && a.Env("NO_COLOR") == "" && a.Env("TERM") != "dumb"
}

// width is that of the terminal, 0 if output goes elsewhere.
func (a *App) width(output string) int {
	fd, ok := a.terminal(output)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(fd)
	if err != nil {
		return 0
	}
	return columns
}

// terminal reports whether output goes to a terminal, and to which.
func (a *App) terminal(output string) (fd int, ok bool) {
	f, isFile := a.Stdout.(*os.File)
	if !isFile || output != "" && output != "-" {
		return 0, false
	}
	return int(f.Fd()), term.IsTerminal(int(f.Fd()))
}
