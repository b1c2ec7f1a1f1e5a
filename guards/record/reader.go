package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxPids bounds how many processes of one file are told apart. A sound file
// has one.
const maxPids = 4096

// Entry is one step of a reader: a record, or an issue with a stretch of the
// file.
type Entry struct {
	Offset int64 // of the first byte
	Line   int64 // from 1
	Record *Record
	Issue  *Issue
}

// IssueKind says what is wrong with a stretch of a record file.
type IssueKind string

// The kinds of issue.
const (
	Torn        IssueKind = "torn"         // the last line has no line feed: the write was cut
	Damaged     IssueKind = "damaged"      // the line is no record, or its CRC does not hold
	Oversized   IssueKind = "oversized"    // the line is longer than MaxLine
	NewVersion  IssueKind = "version"      // a record of a version that this reader does not know
	UnknownType IssueKind = "unknown-type" // a record of a type that this reader does not know
	Invalid     IssueKind = "invalid"      // the CRC holds, the content makes no sense
	Gap         IssueKind = "gap"          // sequence numbers are missing
	Repeated    IssueKind = "repeated"     // a sequence number comes again, or steps back
	Interleaved IssueKind = "interleaved"  // a second process writes into the file
	AfterEnd    IssueKind = "after-end"    // a record behind the end record of its process
)

// Issue is a stretch of the file, or of the sequence, that is not as it should be.
type Issue struct {
	Kind   IssueKind
	Pid    int    // 0: not known
	Length int64  // bytes
	Lost   uint64 // records missing in a gap
	Text   string // for people; quotes nothing of the file
}

// Reader reads a record file from its first byte.
type Reader struct {
	in     *bufio.Reader
	buf    []byte
	offset int64
	line   int64
	queue  []Entry
	procs  map[int]*sequence
	err    error
}

// sequence is how far the records of one process have come.
type sequence struct {
	last  uint64
	ended bool
}

// NewReader reads from r, which must stand at the first byte of a record file.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 64<<10), procs: map[int]*sequence{}}
}

// Next returns the next record or issue, in the order of the file. An issue of
// the sequence stands before the record that shows it. At the end the error is
// io.EOF; any other error is r's own, and what was read before it counts.
func (r *Reader) Next() (Entry, error) {
	for len(r.queue) == 0 {
		if r.err != nil {
			return Entry{}, r.err
		}
		r.readLine()
	}
	e := r.queue[0]
	r.queue = r.queue[1:]
	return e, nil
}

// readLine reads one physical line and queues what it holds.
func (r *Reader) readLine() {
	r.queue = r.queue[:0]
	start := r.offset
	text, length, ended, err := r.physicalLine()
	r.offset += length
	if err != nil {
		r.err = err
		if !errors.Is(err, io.EOF) {
			r.err = fmt.Errorf("reading the run record at byte %d: %w", r.offset, err)
		}
	}
	if length == 0 {
		return
	}
	r.line++
	switch {
	case length > MaxLine:
		r.issue(start, Issue{Kind: Oversized, Length: length, Text: fmt.Sprintf("a line of %d bytes, %d at most", length, MaxLine)})
	case !ended:
		r.issue(start, Issue{Kind: Torn, Length: length, Text: "the last line is cut"})
	default:
		r.pieces(start, text)
	}
}

// physicalLine returns a line without its line feed, its length with it, and
// whether it had one. Of a line over MaxLine only the length is kept.
func (r *Reader) physicalLine() (text []byte, length int64, ended bool, err error) {
	r.buf = r.buf[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		length += int64(len(part))
		if length <= MaxLine {
			r.buf = append(r.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		text, ended = bytes.CutSuffix(r.buf, []byte("\n"))
		return text, length, ended, err
	}
}

// recordStart begins every record and, quotes being escaped in strings, stands
// nowhere else in one.
var recordStart = []byte(`{"v":`)

// pieces splits a line where records begin. A sound line is one piece. More
// come from a write that was cut (the next record went on behind it) or from a
// lost line feed; the sound ones among them are still records.
func (r *Reader) pieces(start int64, line []byte) {
	if CheckCRC(line) {
		r.record(start, line)
		return
	}
	from := 0
	for from < len(line) {
		next := len(line)
		if i := bytes.Index(line[from+1:], recordStart); i >= 0 {
			next = from + 1 + i
		}
		if piece := line[from:next]; from > 0 && CheckCRC(piece) {
			r.record(start+int64(from), piece)
		} else {
			r.damaged(start+int64(from), int64(len(piece)))
		}
		from = next
	}
	if len(line) == 0 {
		r.damaged(start, 1)
	}
}

// damaged queues a damaged stretch, joined to the one before where they touch.
func (r *Reader) damaged(start, length int64) {
	if n := len(r.queue); n > 0 {
		last := &r.queue[n-1]
		if last.Issue != nil && last.Issue.Kind == Damaged && last.Offset+last.Issue.Length == start {
			last.Issue.Length += length
			return
		}
	}
	r.issue(start, Issue{Kind: Damaged, Length: length, Text: "no record, or its CRC does not hold"})
}

func (r *Reader) issue(at int64, i Issue) {
	r.queue = append(r.queue, Entry{Offset: at, Line: r.line, Issue: &i})
}

// record queues a line whose CRC holds, after what its sequence number shows.
func (r *Reader) record(at int64, line []byte) {
	rec, bad := decode(line)
	if rec.Pid > 0 && rec.Seq > 0 {
		r.follow(at, rec)
	}
	if bad != nil {
		bad.Length = int64(len(line)) + 1
		bad.Pid = rec.Pid
		r.issue(at, *bad)
		return
	}
	r.queue = append(r.queue, Entry{Offset: at, Line: r.line, Record: &rec})
}

// follow holds a record against the sequence of its process.
func (r *Reader) follow(at int64, rec Record) {
	seq := r.procs[rec.Pid]
	if seq == nil {
		if len(r.procs) > 0 {
			r.issue(at, Issue{Kind: Interleaved, Pid: rec.Pid, Text: fmt.Sprintf("process %d writes into the record of another one", rec.Pid)})
		}
		if len(r.procs) >= maxPids {
			return
		}
		seq = &sequence{}
		r.procs[rec.Pid] = seq
	}
	switch {
	case rec.Seq <= seq.last:
		r.issue(at, Issue{Kind: Repeated, Pid: rec.Pid, Text: fmt.Sprintf("record %d comes after record %d", rec.Seq, seq.last)})
	case rec.Seq > seq.last+1:
		lost := rec.Seq - seq.last - 1
		r.issue(at, Issue{Kind: Gap, Pid: rec.Pid, Lost: lost, Text: fmt.Sprintf("%d records are missing before record %d", lost, rec.Seq)})
	}
	if seq.ended {
		r.issue(at, Issue{Kind: AfterEnd, Pid: rec.Pid, Text: fmt.Sprintf("record %d stands behind the end of its process", rec.Seq)})
	}
	seq.last = max(seq.last, rec.Seq)
	seq.ended = seq.ended || rec.Type == TypeEnd
}
