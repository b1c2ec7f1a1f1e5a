package bench

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

const (
	packedShape = "hf"
	packWindow  = 8 << 20
	// packedShare of the size is compressed: compressing takes longer than all else.
	packedShare = 16
)

// packer compresses with a window that the reader has to hold.
type packer struct {
	suffix string
	window int64
	wrap   func(io.Writer) (io.WriteCloser, error)
}

func packers() []packer {
	return []packer{
		{".gz", 32 << 10, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }},
		{".zst", packWindow, func(w io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(w, zstd.WithWindowSize(packWindow), zstd.WithEncoderConcurrency(1))
		}},
		{".xz", packWindow, func(w io.Writer) (io.WriteCloser, error) {
			return xz.WriterConfig{DictCap: packWindow}.NewWriter(w)
		}},
	}
}

// packed writes a compressed log: its memory is measured.
func (c *Comparison) packed(log *Log, path, suffix string) (*target, error) {
	log.Size /= packedShare
	for _, k := range packers() {
		if k.suffix == "."+suffix {
			return c.pack(log, path, &k)
		}
	}
	return nil, fmt.Errorf("no compression is called %q", suffix)
}

func (c *Comparison) pack(log *Log, path string, k *packer) (*target, error) {
	path += k.suffix
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("writing a compressed log: %w", err)
	}
	defer f.Close()
	w, err := k.wrap(f)
	if err != nil {
		return nil, fmt.Errorf("compressing to %s: %w", path, err)
	}
	truth, err := log.Write(w)
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compressing to %s: %w", path, err)
	}
	return &target{path: path, bytes: truth.Bytes, window: k.window, candidates: []Candidate{c.cat(path), c.audit(path)}}, f.Close()
}
