package analyzers

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// fingerprints names the findings that their rules left unnamed: by the site
// or handler where there is one, else by the text that they mark. Equal ones
// are numbered in the order of the file.
func fingerprints(root string, list []site.Finding) {
	sources := map[string][][]byte{}
	seen := map[[3]string]int{}
	for i := range list {
		f := &list[i]
		if f.Fingerprint != "" {
			continue
		}
		where, what := f.Site, string(f.Shape)
		if where == "" {
			if sources[f.At.File] == nil {
				sources[f.At.File] = readLines(root, f.At.File)
			}
			where, what = f.At.File, markedText(sources[f.At.File], f.At, f.End)
		}
		key := [3]string{f.Code, where, what}
		seen[key]++
		f.Fingerprint = site.Fingerprint(f.Code, where, what, seen[key])
	}
}

func readLines(root, file string) [][]byte {
	name := filepath.FromSlash(file)
	if !filepath.IsAbs(name) {
		name = filepath.Join(root, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return [][]byte{} // the finding is then known by its file alone
	}
	return bytes.Split(text, []byte("\n"))
}

// markedText is the marked part of the first line with its blanks made equal,
// so that formatting does not rename a finding.
func markedText(lines [][]byte, at, end site.Position) string {
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	line := lines[at.Line-1]
	from, to := min(max(at.Column-1, 0), len(line)), len(line)
	if end.Line == at.Line && end.Column > at.Column {
		to = min(end.Column-1, len(line))
	}
	return strings.Join(strings.Fields(string(line[from:to])), " ")
}
