package fixes

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/rogpeppe/go-internal/diff"
)

// Apply writes the planned files. It goes on behind a file that cannot be
// written; the error names each.
func (p *Plan) Apply() error {
	var errs []error
	for i := range p.Files {
		if err := p.Files[i].write(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// ErrChanged says that a file is not any more what the plan was made for.
var ErrChanged = errors.New("it was changed since")

func (f *File) write() (err error) {
	now, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("fixing %s: %w", f.Name, err)
	}
	if !bytes.Equal(now, f.Old) {
		return fmt.Errorf("fixing %s: %w", f.Name, ErrChanged)
	}
	part := fmt.Sprintf("%s.%d.part", f.path, os.Getpid())
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.mode.Perm())
	if err != nil {
		return fmt.Errorf("fixing %s: %w", f.Name, err)
	}
	_, err = out.Write(f.New)
	if wrong := out.Close(); err == nil {
		err = wrong
	}
	if err == nil {
		err = os.Rename(part, f.path)
	}
	if err != nil {
		os.Remove(part)
		return fmt.Errorf("fixing %s: %w", f.Name, err)
	}
	return nil
}

// Diff is what Apply would change, as a unified diff that git and patch take.
func (p *Plan) Diff() []byte {
	var b bytes.Buffer
	for i := range p.Files {
		f := &p.Files[i]
		b.Write(diff.Diff("a/"+f.Name, f.Old, "b/"+f.Name, f.New))
	}
	return b.Bytes()
}
