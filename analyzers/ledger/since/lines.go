package since

import (
	"context"
	"path"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Lines knows which lines of a work tree are new.
type Lines struct {
	added map[string][]span // by file from the root
	known map[string]bool   // files that git tracks
}

// Load compares the work tree below root with a revision. What git refuses is
// of type *RevisionError.
func Load(ctx context.Context, root, revision string) (*Lines, error) {
	repo := repository{dir: root, revision: revision}
	if err := repo.check(ctx); err != nil {
		return nil, err
	}
	text, err := repo.diff(ctx)
	if err != nil {
		return nil, err
	}
	known, err := repo.known(ctx)
	if err != nil {
		return nil, err
	}
	return &Lines{added: added(parse(string(text))), known: known}, nil
}

// New reports whether a place came after the revision: one of its lines did. A
// file outside of the root, such as one that was generated for the build, is
// not asked about and is new.
func (l *Lines) New(s site.Site) bool {
	file := path.Clean(s.At.File)
	if !l.known[file] {
		return true
	}
	last := s.At.Line
	if s.End.File == s.At.File {
		last = max(last, s.End.Line)
	}
	for _, a := range l.added[file] {
		if s.At.Line <= a.to && a.from <= last {
			return true
		}
	}
	return s.At.Line == 0 && len(l.added[file]) > 0
}

// added takes the blocks that were only moved out of what a diff adds.
func added(hunks []hunk) map[string][]span {
	old := newRemoved(hunks)
	out := map[string][]span{}
	for _, h := range hunks {
		moved := old.find(h.plus)
		for i := range h.plus {
			if moved[i] {
				continue
			}
			line := h.start + i
			list := out[h.file]
			if n := len(list); n > 0 && list[n-1].to == line-1 {
				list[n-1].to = line
				continue
			}
			out[h.file] = append(list, span{line, line})
		}
	}
	return out
}

// span is a stretch of lines, both ends included.
type span struct{ from, to int }

// squeeze is a line without its white space, since a block that moves is
// indented anew.
func squeeze(line string) string { return strings.Join(strings.Fields(line), "") }
