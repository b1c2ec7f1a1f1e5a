package analyzers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// RevisionError is a revision that git cannot compare with.
type RevisionError struct{ Revision, Text string }

func (e *RevisionError) Error() string {
	return fmt.Sprintf("comparing with revision %q: %s", e.Revision, e.Text)
}

// lineSpan is a stretch of lines, both ends included.
type lineSpan struct{ from, to int }

// newFrom asks git which lines came after a revision: those of changed files
// that the revision does not have, and all of files that git does not know
// yet. A site is new when one of its lines is.
func newFrom(ctx context.Context, root, revision string) (func(site.Site) bool, error) {
	if strings.HasPrefix(revision, "-") {
		return nil, &RevisionError{revision, "that is no revision"}
	}
	diff, err := git(ctx, root, revision, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-renames", "--relative", "--src-prefix=a/", "--dst-prefix=b/", revision, "--", ".")
	if err != nil {
		return nil, err
	}
	added := addedLines(diff)
	others, err := git(ctx, root, revision, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(string(others), "\x00") {
		if name != "" {
			added[name] = []lineSpan{{1, int(^uint(0) >> 1)}}
		}
	}
	return func(s site.Site) bool {
		last := s.At.Line
		if s.End.File == s.At.File {
			last = max(last, s.End.Line)
		}
		for _, span := range added[path.Clean(s.At.File)] {
			if s.At.Line <= span.to && span.from <= last || s.At.Line == 0 {
				return true
			}
		}
		return false
	}, nil
}

func git(ctx context.Context, dir, revision string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.quotePath=true"}, args...)...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, &RevisionError{revision, "there is no git"}
	}
	if err != nil {
		text, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		if text == "" {
			text = err.Error()
		}
		return nil, &RevisionError{revision, text}
	}
	return out.Bytes(), nil
}

// addedLines reads a diff without context: which lines of which files are not
// in the revision.
func addedLines(diff []byte) map[string][]lineSpan {
	out := map[string][]lineSpan{}
	file, head := "", false
	for line := range strings.SplitSeq(string(diff), "\n") {
		switch {
		case strings.HasPrefix(line, "diff --git "):
			file, head = "", true
		case head && strings.HasPrefix(line, "+++ "):
			file = diffName(line[len("+++ "):])
		case strings.HasPrefix(line, "@@ "):
			head = false
			if span, ok := hunk(line); ok && file != "" {
				out[file] = append(out[file], span)
			}
		}
	}
	return out
}

// diffName reads the name behind +++, which git quotes where it is unusual,
// and ends with a tab where it holds blanks.
func diffName(text string) string {
	text = strings.TrimSuffix(text, "\t")
	if strings.HasPrefix(text, `"`) {
		if plain, err := strconv.Unquote(text); err == nil { // octal escapes are Go's too
			text = plain
		}
	}
	name, ok := strings.CutPrefix(text, "b/")
	if !ok {
		return "" // /dev/null: the file is gone
	}
	return name
}

// hunk reads the new side of "@@ -1,2 +3,4 @@"; a count of 0 adds nothing.
func hunk(line string) (lineSpan, bool) {
	_, text, ok := strings.Cut(line, " +")
	if !ok {
		return lineSpan{}, false
	}
	text, _, _ = strings.Cut(text, " ")
	first, count, several := strings.Cut(text, ",")
	from, err := strconv.Atoi(first)
	n := 1
	if err == nil && several {
		n, err = strconv.Atoi(count)
	}
	if err != nil || n == 0 {
		return lineSpan{}, false
	}
	return lineSpan{from, from + n - 1}, true
}
