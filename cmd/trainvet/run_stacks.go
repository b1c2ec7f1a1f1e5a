package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/trainvet/trainvet/internal/plain"
)

// maxStacks bounds what is read of the end of a file of stacks.
const maxStacks = 1 << 20

// A frame of faulthandler, the most recent call first; the main thread is the
// last one of a dump.
var (
	stackFrame   = regexp.MustCompile(`^  File "(.*)", line (\d+) in (.*)$`)
	stackLibrary = regexp.MustCompile(`site-packages|dist-packages|/lib/python\d|^<|/python\.zip/`)
)

// stood says where each process was that made no step for a long time: evidence
// of a hang or of something slow, which bears on no value.
func stood(w io.Writer, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "stacks-*.tvr"))
	if err != nil {
		return
	}
	for _, name := range files {
		text, err := tailOf(name)
		if err != nil {
			fmt.Fprintf(w, "trainvet: stood still  %s\n", plain.Line(err.Error(), maxRunLine))
			continue
		}
		if at := stoodAt(text); at != "" {
			process := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "stacks-"), ".tvr")
			line := fmt.Sprintf("process %s made no step for a long time, at %s; all threads: %s", process, at, name)
			fmt.Fprintf(w, "trainvet: stood still  %s\n", plain.Line(line, maxRunLine))
		}
	}
}

func tailOf(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading the stacks: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading the stacks: %w", err)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-maxStacks), maxStacks))
	if err != nil {
		return nil, fmt.Errorf("reading the stacks: %w", err)
	}
	return text, nil
}

// stoodAt is the innermost line of the main thread that is no library's, else
// its innermost line; empty: nothing was written.
func stoodAt(text []byte) string {
	own, first := "", ""
	for _, line := range bytes.Split(text, []byte("\n")) {
		m := stackFrame.FindSubmatch(line)
		switch {
		case bytes.HasPrefix(line, []byte("Thread ")), bytes.HasPrefix(line, []byte("Current thread ")):
			own, first = "", ""
		case m == nil:
		default:
			at := fmt.Sprintf("%s:%s in %s", m[1], m[2], m[3])
			if first == "" {
				first = at
			}
			if own == "" && !stackLibrary.Match(m[1]) {
				own = at
			}
		}
	}
	if own == "" {
		return first
	}
	return own
}
