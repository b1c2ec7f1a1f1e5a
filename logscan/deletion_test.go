package logscan_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/demo"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// sealedRun writes a recorded run and returns its files.
func sealedRun(t *testing.T) (dir string, files map[string][]byte) {
	t.Helper()
	dir, files = filepath.Join(t.TempDir(), "run"), map[string][]byte{}
	require.NoError(t, demo.Write(dir, demo.Log()))
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[path], err = os.ReadFile(path)
		}
		return err
	}))
	return dir, files
}

// damages are the ways in which a file can lose something.
func damage(r *rand.Rand, data []byte) []byte {
	at := r.IntN(len(data))
	switch r.IntN(4) {
	case 0: // a flipped bit
		out := bytes.Clone(data)
		out[at] ^= 1 << r.IntN(8)
		return out
	case 1: // a lost byte
		return append(bytes.Clone(data[:at]), data[at+1:]...)
	case 2: // a lost line
		lines := bytes.SplitAfter(data, []byte{'\n'})
		k := r.IntN(len(lines))
		return append(bytes.Join(lines[:k], nil), bytes.Join(lines[min(k+1, len(lines)):], nil)...)
	}
	return bytes.Clone(data[:at]) // a lost end
}

func TestDamageNeverLeavesACapturedValueTrusted(t *testing.T) {
	t.Parallel()
	dir, files := sealedRun(t)
	whole, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{All: true})
	require.NoError(t, err)
	trusted := 0
	for _, v := range whole.Values {
		if v.Verdict == verdict.Trusted && v.Level >= verdict.Captured {
			trusted++
		}
	}
	require.Positive(t, trusted, "the whole run must hold values that are trusted as captured")

	r := rand.New(rand.NewPCG(11, 12))
	for path, data := range files {
		for n := range 60 {
			changed := damage(r, data)
			if n == 0 {
				require.NoError(t, os.Remove(path))
			} else if bytes.Equal(changed, data) {
				continue
			} else {
				require.NoError(t, os.WriteFile(path, changed, 0o600))
			}
			res, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{All: true})
			if err == nil {
				for _, v := range append(res.Values, res.Claims...) {
					if v.Verdict == verdict.Trusted && v.Level >= verdict.Captured {
						t.Fatalf("%s damaged (%d): %s %s is still trusted as %v", filepath.Base(path), n, v.Name, v.Text, v.Level)
					}
				}
			}
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}
	}
}
