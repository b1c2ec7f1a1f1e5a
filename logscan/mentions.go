package logscan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/scan"
	"github.com/trainvet/trainvet/logscan/source"
)

// Stretch is a part of a log, from the first place of interest to the last.
type Stretch struct{ From, To int64 }

// AddPlace adds a place behind those that are there. Places near one another are
// one stretch: a log in which each line is one takes no more.
func AddPlace(to []Stretch, at int64) []Stretch {
	if n := len(to); n > 0 && at <= to[n-1].To+2*maxRecord {
		to[n-1].To = max(to[n-1].To, at)
		return to
	}
	return append(to, Stretch{at, at})
}

// MentionWords are texts of at least 8 bytes, one of which stands in every line
// that says which file was written or read, in any letter case.
func MentionWords() ([]string, error) {
	forms, err := loadLineForms()
	if err != nil {
		return nil, err
	}
	return forms.anchors, nil
}

// Mentions lists the files that a captured log says were written or read, for
// the supervisor that takes their digests when the run has ended. It looks for
// nothing else: the audit comes later. Where somebody has looked for the words of
// such lines, the log is read at their places only; nil: nobody has.
func Mentions(ctx context.Context, log string, places []Stretch) ([]rundir.Mention, error) {
	f, err := os.Open(log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, size, err := newMentionPass(f)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", log, err)
	}
	if places == nil {
		places = []Stretch{{0, size}}
	}
	for _, s := range places {
		p.from = max(0, s.From-maxRecord)
		part := io.NewSectionReader(f, p.from, min(size, s.To+maxRecord)-p.from)
		err = scan.Chunks(ctx, part, part.Size(), p.forms.filter, p.chunk)
		var shorter *scan.ShortReadError
		if err != nil && !errors.As(err, &shorter) { // what is left of a log that was cut counts
			return nil, fmt.Errorf("reading %s: %w", log, err)
		}
	}
	return p.mentions(), nil
}

// mentionPass reads the records in which the form of a line may stand.
type mentionPass struct {
	forms *lineForms
	style source.Style
	c     *collector
	line  source.Line
	clean []byte
	from  int64 // of the part that is read
	done  int64 // everything before this offset is read
}

// styleBytes is how much of a log shows how its lines look.
const styleBytes = 64 << 10

func newMentionPass(f *os.File) (*mentionPass, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	forms, err := loadLineForms()
	if err != nil {
		return nil, 0, err
	}
	head := make([]byte, min(info.Size(), styleBytes))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	c := newCollector(&evidence.Source{}, 0)
	return &mentionPass{forms: forms, style: source.Sniff(head[:n], source.Options{}), c: c}, info.Size(), nil
}

func (p *mentionPass) chunk(c *scan.Chunk) error {
	for _, h := range c.Hits {
		if p.from+c.Offset(h.Pos) < p.done {
			continue
		}
		start, end := recordAround(c.Data, h.Pos)
		p.line = source.Line{Offset: p.from + c.Offset(start), End: p.from + c.Offset(end)}
		p.clean = p.style.Parse(c.Data[start:end], p.clean, &p.line)
		p.forms.line(&p.line, p.c)
		p.done = p.line.End
	}
	return nil
}

func (p *mentionPass) mentions() []rundir.Mention {
	var list []rundir.Mention
	for i := range p.c.out.Artifacts {
		a := &p.c.out.Artifacts[i]
		m := rundir.Mention{Op: a.Op, Path: a.Path, Offset: &a.At.Offset}
		if a.Op == "read" {
			m.Kind = a.Kind
		}
		list = append(list, m)
	}
	slices.SortStableFunc(list, func(a, b rundir.Mention) int { return cmp.Compare(*a.Offset, *b.Offset) })
	return list
}
