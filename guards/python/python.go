package python

import (
	"archive/zip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
)

// File is the name of the zip file within a run directory.
const File = "python.zip"

// Off is the environment variable that switches everything off when it is 0.
const Off = "TRAINVET"

// EnvSink names the file, or pipe, that the trainer's output goes to, as
// device:inode. Streams that go elsewhere keep their buffering.
const EnvSink = "TRAINVET_SINK"

// EnvOnFault is "stop" where guards raise at a fault, once it is recorded.
const EnvOnFault = "TRAINVET_ON_FAULT"

// EnvDrill names the decode that is given ids of a broken device: decode@3.
const EnvDrill = "TRAINVET_DRILL"

// EnvTrace is the step from which each backward operation announces itself.
const EnvTrace = "TRAINVET_TRACE_BACKWARD"

// EnvCollectives is 1 where each rank writes what it hands to collectives.
const EnvCollectives = "TRAINVET_COLLECTIVES"

// EnvBatchCap is the most samples that a batch of torch's DataLoader may have.
const EnvBatchCap = "TRAINVET_BATCH_CAP"

// Checks are the checks without which no value of a Python run is believed: none,
// since a trainer without PyTorch gives them nothing to look at. What ran shows
// in the level of each value.
func Checks() []string { return nil }

//go:embed sitecustomize.py all:trainvet
var files embed.FS

// Write writes the zip file: stored, not compressed, so that no interpreter
// needs zlib for it, and the same bytes each time.
func Write(w io.Writer) error {
	names, err := list()
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return fmt.Errorf("writing the Python guards: %w", err)
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = f.Write(text)
		}
		if err != nil {
			return fmt.Errorf("writing the Python guards: %s: %w", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("writing the Python guards: %w", err)
	}
	return nil
}

// list names the sources, sorted; what an interpreter may have left beside them
// in a work tree is not shipped.
func list() ([]string, error) {
	var names []string
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".py" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the Python guards: %w", err)
	}
	slices.Sort(names)
	return names, nil
}
