package rundir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// errChanging says that a file changed while its digest was taken.
var errChanging = errors.New("it changed while it was read")

// digestFile reads a file for its SHA-256. It must be the one that was found.
func digestFile(ctx context.Context, a Artifact) (string, error) {
	f, err := os.Open(a.Path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, &patient{ctx, f})
	if ctx.Err() != nil {
		return "", fmt.Errorf("%d of %d bytes were read in the time that there was", n, a.Size)
	}
	if err != nil {
		return "", err
	}
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if n != a.Size || info.Size() != a.Size || !info.ModTime().Equal(a.Changed) {
		return "", errChanging
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// patient ends with its context.
type patient struct {
	ctx context.Context
	r   io.Reader
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}
