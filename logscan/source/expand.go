package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Expand finds the inputs that paths name. Files are read whatever they are
// called; folders are walked and what is no log or metric file is passed over.
// What cannot be read, or could block (FIFO, socket, device, a link that
// leads back), is named in Unread. "-" is standard input.
//
// It fails with ManyJobs when a folder holds several jobs and opt.Each is not
// set, with BadPattern, and when a path does not exist.
func Expand(ctx context.Context, paths []string, stdin io.Reader, opt Options) (*Set, error) {
	e, err := newExpander(ctx, opt)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if err := e.path(path, stdin); err != nil {
			return nil, err
		}
	}
	return e.finish()
}

const defaultMaxFiles = 200_000

// expander gathers one set.
type expander struct {
	ctx     context.Context
	opt     Options
	names   *naming
	pairing *pairing
	set     *Set
	found   []found
	seen    map[string]bool // resolved paths
	runDirs []runDir
	files   int
	head    []byte
	lines   [][]byte // of head; room for those of the next file
}

// found is an input with what only grouping needs.
type found struct {
	Input
	root  string // the folder that was named; "": the file itself was
	rel   string // slash path below root, or the path as named
	home  string // folder of its run, relative to root
	job   string // the scheduler's number
	step  int64  // global step of a trainer state
	runOf string // run directory that it lies in
	runs  string // the first run directory of the job
}

func newExpander(ctx context.Context, opt Options) (*expander, error) {
	names, err := loadNaming()
	if err != nil {
		return nil, err
	}
	pairs, err := newPairing(opt)
	if err != nil {
		return nil, err
	}
	if opt.MaxFiles <= 0 {
		opt.MaxFiles = defaultMaxFiles
	}
	return &expander{
		ctx: ctx, opt: opt, names: names, pairing: pairs,
		set: &Set{RunDirs: map[string][]string{}}, seen: map[string]bool{}, head: make([]byte, sniffSize),
	}, nil
}

func (e *expander) unread(path, why string) {
	e.set.Unread = append(e.set.Unread, evidence.Unread{Path: path, Why: why})
}

func (e *expander) path(path string, stdin io.Reader) error {
	if path == "-" {
		return e.standardInput(stdin)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("finding sources: %w", err)
	case err != nil:
		e.unread(path, reason(err))
		return nil
	case info.IsDir():
		w := walker{e: e, root: path, trail: map[string]bool{}}
		return w.folder(path, "", "")
	case !info.Mode().IsRegular():
		e.unread(path, special(info.Mode()))
		return nil
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		resolved = path
	}
	if abs, err := filepath.Abs(resolved); err == nil {
		resolved = abs
	}
	e.file(found{Input: Input{ID: filepath.ToSlash(path), Path: path, Size: info.Size()}, rel: filepath.ToSlash(path)}, resolved)
	return nil
}

// reason says shortly why a file cannot be read.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "the link leads nowhere"
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// special names what is no regular file. Opening it could block for ever.
func special(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO, not read: pipe it to standard input (-)"
	case m&fs.ModeSocket != 0:
		return "a socket, not read"
	case m&fs.ModeDevice != 0:
		return "a device, not read"
	}
	return "not a regular file"
}

// file looks into one regular file and adds it if it is a source.
func (e *expander) file(f found, resolved string) {
	if e.seen[resolved] {
		return
	}
	e.seen[resolved] = true
	named := f.root == ""
	base := filepath.Base(f.Path)
	if !named {
		switch e.names.action(base) {
		case actPass, actCheckpoint: // not even opened
			_, why := e.names.wanted(base, Console, nil)
			e.pass(f.ID, why)
			return
		}
	}
	head, whole, err := e.sniff(&f.Input)
	if err != nil {
		e.unread(f.ID, reason(err))
		return
	}
	f.Kind = e.names.recognise(filepath.ToSlash(f.Path), head, whole)
	if !named {
		if ok, why := e.names.wanted(base, f.Kind, head); !ok {
			e.pass(f.ID, why)
			return
		}
	}
	switch f.Kind {
	case Checkpoint:
		if named {
			e.unread(f.ID, "a checkpoint, not a log")
		}
	case Archive:
		e.unread(f.ID, "an archive: unpack it and name the folder")
	case Binary:
		e.unread(f.ID, "not a log: binary data")
	default:
		e.add(f, head)
	}
}

func (e *expander) pass(path, why string) {
	e.set.Passed = append(e.set.Passed, Passed{path, why})
}

// add completes an input from its name and first bytes.
func (e *expander) add(f found, head []byte) {
	got := e.pairing.of(filepath.ToSlash(f.Path))
	f.limit = e.opt.MaxOutput
	f.Stream, f.Host, f.Rank, f.job = got.stream, got.host, got.rank, got.job
	e.known(&f)
	f.home = homeOf(f.rel)
	switch {
	case f.Kind.Lines():
		e.lines = slices.AppendSeq(e.lines[:0], firstLines(head, maxSniffLines))
		f.Style = sniffStyle(e.lines, e.opt)
	case f.Kind == MLflow:
		_, f.Member, _ = strings.Cut(filepath.ToSlash(f.Path), "metrics/")
	case f.Kind == TrainerState:
		f.step = globalStep(f.rel, head)
	case f.Kind == GoMLX:
		f.step = gomlxNumber(f.rel)
	}
	e.found = append(e.found, f)
}

// sniff reads the first bytes, decoded as far as needed to tell the kind.
func (e *expander) sniff(in *Input) (head []byte, whole bool, err error) {
	f, err := os.Open(in.Path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	return e.sniffFrom(in, f)
}

func (e *expander) sniffFrom(in *Input, src io.Reader) (head []byte, whole bool, err error) {
	n, err := io.ReadFull(src, e.head)
	if whole, err = atEnd(err); err != nil {
		return nil, false, err
	}
	raw := e.head[:n]
	if in.format.compression = compressionOf(raw); in.format.compression != uncompressed {
		return e.sniffCompressed(in, io.MultiReader(bytes.NewReader(slices.Clone(raw)), src))
	}
	if len(raw) > 0 && raw[0] == 0 && len(bytes.Trim(raw, "\x00")) == 0 && !whole {
		raw, whole = beyondHole(src, e.head)
	}
	head = in.format.sniffText(raw)
	return head, whole, nil
}

func atEnd(err error) (bool, error) {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true, nil
	}
	return false, err
}

func (e *expander) sniffCompressed(in *Input, src io.Reader) ([]byte, bool, error) {
	d, err := newDecoder(in.ID, in.format.compression, src, e.opt.MaxOutput)
	if err != nil {
		return nil, false, err
	}
	defer d.close()
	n, err := io.ReadFull(d, e.head)
	var cut *Truncated
	var damaged *Corrupt
	if (errors.As(err, &cut) || errors.As(err, &damaged)) && n > 0 {
		err = io.EOF // said again when it is read
	}
	whole, err := atEnd(err)
	if err != nil {
		return nil, false, err
	}
	return in.format.sniffText(e.head[:n]), whole, nil
}

// maxHoleRead bounds how far a file that begins with NUL is searched for text.
const maxHoleRead = 1 << 30

// beyondHole reads on behind the NUL bytes that a truncated log can begin with.
func beyondHole(src io.Reader, buf []byte) (head []byte, whole bool) {
	for read := 0; read < maxHoleRead; {
		n, err := io.ReadFull(src, buf)
		read += n
		if text := bytes.TrimLeft(buf[:n], "\x00"); len(text) > 0 {
			return text, err != nil
		}
		if err != nil {
			return buf[:0], true
		}
	}
	return buf[:min(len(buf), 1024)], false
}

// sniffText finds encoding and container format and decodes the first bytes.
func (f *format) sniffText(raw []byte) []byte {
	text := raw
	if f.encoding = encodingOf(raw); f.encoding != utf8Text {
		text, _ = io.ReadAll(newUTF16Reader(bytes.NewReader(raw), f.encoding))
	}
	body := bytes.TrimLeft(text, "\x00\r\n ")
	first, _, _ := bytes.Cut(body, []byte{'\n'})
	if f.wrap = wrappingOf(first); f.wrap != unwrapped {
		text, _ = io.ReadAll(newUnwrapReader(bytes.NewReader(body), f.wrap))
	}
	return text
}

// standardInput reads ahead as far as sniffing needs; the rest is streamed.
func (e *expander) standardInput(stdin io.Reader) error {
	if stdin == nil || e.seen["-"] {
		return nil
	}
	e.seen["-"] = true
	f := found{Input: Input{ID: "-", Path: "-"}}
	buffered := newBufferedReader(stdin)
	ahead, err := buffered.Peek(sniffSize)
	if _, err = atEnd(err); err != nil {
		return fmt.Errorf("reading standard input: %w", err)
	}
	head, whole, err := e.sniffFrom(&f.Input, bytes.NewReader(ahead))
	if err != nil {
		e.unread("-", reason(err))
		return nil
	}
	f.stdin = buffered
	switch f.Kind = e.names.recognise("-", head, whole && len(ahead) < sniffSize); f.Kind {
	case Checkpoint, Archive, Binary:
		e.unread("-", "not a log: binary data")
		return nil
	}
	e.add(f, head)
	return nil
}
