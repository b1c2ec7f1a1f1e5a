package supervise

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

//go:embed modes.tsv
var modesTSV string

// modeRow is a row of modes.tsv.
type modeRow struct {
	mode      Mode
	word, why string
}

// modeRows reads the table. A fault in it panics: it is part of the program, and
// a test reads it.
func modeRows() []modeRow {
	var rows []modeRow
	for i, line := range strings.Split(strings.TrimSuffix(modesTSV, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			panic(fmt.Sprintf("modes.tsv:%d: %d columns, not 3", i+1, len(f)))
		}
		rows = append(rows, modeRow{Mode(f[0]), f[1], f[2]})
	}
	return rows
}

// circumstances are what the choice of a mode depends on.
type circumstances struct {
	terminal bool  // the caller looks at a terminal and types at it
	detached bool  // only a file outlives trainvet
	left     int64 // room on the disk of the log; -1: not known
	reserve  int64
	script   string // text of what is started; empty: a binary
	name     string // of the script
}

// chooseMode takes the file that trainvet is not in the way of, but where the
// trainer would cut it, the disk cannot hold it, or bars would not be shown. The
// reason is for people; empty with the file.
func chooseMode(c circumstances) (mode Mode, why string) {
	if c.detached {
		return File, ""
	}
	found := map[Mode]string{}
	for _, r := range modeRows() {
		if found[r.mode] == "" && named(c.script, r.word) {
			found[r.mode] = c.name + " " + r.why
		}
	}
	switch {
	case found[Pipe] != "":
		return Pipe, found[Pipe]
	case c.left >= 0 && c.reserve > 0 && c.left < 2*c.reserve:
		return Pipe, "the disk has " + bytesText(c.left) + " left, which may not hold the log"
	case c.terminal && found[TTY] != "":
		return TTY, found[TTY]
	}
	return File, ""
}

// named finds a word in a script, outside of lines that are comments.
func named(script, word string) bool {
	for line := range strings.Lines(script) {
		if at := strings.Index(line, word); at >= 0 && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			return true
		}
	}
	return false
}

// maxScript bounds what is read of a script.
const maxScript = 1 << 20

// scriptOf is the text that a command line runs, as far as it is one: the first
// file among its words that is text, or what stands behind -c.
func scriptOf(path string, argv []string) (text, name string) {
	if text := textOf(path); text != "" {
		return text, filepath.Base(path)
	}
	for i, a := range argv[1:] {
		switch {
		case strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.HasSuffix(a, "c") && i+2 < len(argv): // sh -ec too
			return argv[i+2], "its command"
		case a == "-m":
			return "", ""
		case strings.HasPrefix(a, "-"):
			continue
		}
		if text := textOf(a); text != "" {
			return text, filepath.Base(a)
		}
	}
	return "", ""
}

// textOf reads a file that is text; empty: it is none.
func textOf(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxScript))
	if err != nil || strings.IndexByte(string(b[:min(len(b), 4096)]), 0) >= 0 {
		return ""
	}
	return string(b)
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
