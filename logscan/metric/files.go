package metric

import (
	"context"
	"fmt"
	"io"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

// FileReader reads metric files: what is not a log of lines. It holds no state
// of a file and may be shared.
type FileReader struct {
	cat    *Catalog
	tables *fileTables
	err    error // of the tables
	// Console, if set, takes what a metrics file holds of the run's console
	// output, piece by piece, not always whole lines.
	Console func(ConsoleText) error
	// Beside, if set, opens the file that lies beside the one that is read and
	// whose name ends otherwise; nil where there is none.
	Beside func(ending, otherwise string) (io.ReadCloser, error)
}

// ConsoleText is a piece of console output that a metrics file holds.
type ConsoleText struct {
	Offset int64  // of its record in the file
	Stream string // out, err
	Time   int64  // Unix nanoseconds
	Text   string
}

// NewFileReader gives a reader that names metrics by the catalogue.
func NewFileReader(c *Catalog) *FileReader {
	tables, err := loadFileTables()
	return &FileReader{cat: c, tables: tables, err: err}
}

// FileResult is what a file says beside its records.
type FileResult struct {
	Breaks     []evidence.Break
	Boundaries []evidence.Boundary
	Artifacts  []evidence.Artifact
	// Clock of the records' times. Kind since-start: they are nanoseconds since
	// the start of the run, no dates.
	Clock   evidence.Clock
	Planned float64 // total steps announced
	Notes   []string
	Lines   int64 // where the file has lines and they were counted
	Bytes   int64 // likewise
	Host    string
	Exit    *int // exit code that the file tells
}

// FileError says that a metrics file could not be read, or not to its end. The
// records before the place were emitted.
type FileError struct {
	ID   string
	Kind string
	Err  error // typed by the reader of the kind, with offset and line
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s: %v", e.ID, e.Err)
}

// Unwrap gives the reason.
func (e *FileError) Unwrap() error { return e.Err }

// UnknownKindError says that no reader knows a kind of file.
type UnknownKindError struct{ Kind string }

func (e *UnknownKindError) Error() string { return fmt.Sprintf("no metrics file: kind %q", e.Kind) }

const maxFileNotes = 32

// Read reads the file of the given kind and emits its records in the order of
// the file, except that what the file says about the whole run comes last. A
// record is valid during emit only; its strings stay valid. id is the file's
// path; a metric of mlflow has its name from it.
func (c *FileReader) Read(ctx context.Context, kind, id string, r io.Reader, emit func(*Record)) (FileResult, error) {
	if c.err != nil {
		return FileResult{}, c.err
	}
	f := &fileRun{cat: c.cat, tables: c.tables, kind: kind, id: id, emit: emit, names: map[string]*fileName{}, console: c.Console, beside: c.Beside}
	read := map[string]func(context.Context, io.Reader) error{
		"trainer-state": f.trainerState,
		"hf-results":    f.results,
		"jsonl":         f.jsonLines,
		"json":          f.document,
		"csv":           f.table,
		"tfevents":      f.events,
		"mlflow":        f.mlflow,
		"wandb":         f.wandb,
		"wandb-summary": f.wandbSummary,
		"gomlx":         f.gomlxCheckpoint,
	}[kind]
	if read == nil {
		return FileResult{}, &FileError{ID: id, Kind: kind, Err: &UnknownKindError{Kind: kind}}
	}
	err := read(ctx, r)
	f.res.Clock = f.clock.Clock
	if err != nil {
		return f.res, &FileError{ID: id, Kind: kind, Err: err}
	}
	return f.res, nil
}

func (f *fileRun) note(format string, args ...any) {
	switch n := len(f.res.Notes); {
	case n < maxFileNotes:
		f.res.Notes = append(f.res.Notes, fmt.Sprintf(format, args...))
	case n == maxFileNotes:
		f.res.Notes = append(f.res.Notes, "more notes of this file are left out")
	}
}

// broken notes a place behind which the file is not whole.
func (f *fileRun) broken(kind string, offset, line int64, format string, args ...any) {
	f.res.Breaks = append(f.res.Breaks, evidence.Break{
		At:   evidence.Pos{Source: f.id, Offset: offset, Line: line},
		Kind: kind, Text: fmt.Sprintf(format, args...),
	})
}

func (f *fileRun) repeated(keys []string) {
	for _, k := range keys {
		f.note("an object holds the key %.60q more than once: the last value counts", k)
	}
}

// recognise looks for the writer by the keys of the first records.
func (f *fileRun) recognise(values []value.Value, texts map[string]string) {
	const tries = 64
	if f.writer != nil || f.tried >= tries {
		return
	}
	f.tried++
	keys := make([]string, 0, len(values)+len(texts))
	for i := range values {
		keys = append(keys, values[i].Name)
	}
	for k := range texts {
		keys = append(keys, k)
	}
	f.writer = f.tables.kindOf(f.kind, keys)
}
