package analyzers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// ToolID is what the go command keys its cache of units with: a digest of all
// that a unit's answer depends on beside its sources. That is this program;
// and where units read the ledger themselves, every ledger of the tree around
// dir. The units of trainvet vet read none.
func ToolID(dir string) (string, error) {
	h := sha256.New()
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	if err := digestFile(h, program); err != nil {
		return "", err
	}
	if unit.Wired() {
		io.WriteString(h, "wired")
		return hex.EncodeToString(h.Sum(nil)), nil
	}
	if dir, err = folder(dir); err != nil {
		return "", err
	}
	if err := digestLedgers(h, Root(dir)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func digestFile(h hash.Hash, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("reading this program: %w", err)
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("reading this program: %w", err)
	}
	return nil
}

// maxEntries bounds the search for ledgers; a tree that holds more is not
// cached at all, which is slow and never wrong.
const maxEntries = 200_000

// digestLedgers takes in all ledgers below root, since a package answers to
// the nearest one above it. A ledger with an end date answers for a day.
func digestLedgers(h hash.Hash, root string) error {
	entries, dated := 0, false
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch entries++; {
		case err != nil && name == root:
			return err
		case err != nil:
			return fs.SkipDir
		case entries > maxEntries:
			fmt.Fprintf(h, "not cached %d", time.Now().UnixNano())
			return fs.SkipAll
		case d.IsDir() && name != root && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.Name() != LedgerName:
			return nil
		}
		text, err := os.ReadFile(name)
		fmt.Fprintf(h, "ledger %q %v %d\n", name, err, len(text))
		h.Write(text)
		dated = dated || bytes.Contains(text, []byte("until="))
		return nil
	})
	if err != nil {
		return fmt.Errorf("looking for ledgers: %w", err)
	}
	if dated {
		fmt.Fprintf(h, "day %s\n", time.Now().Format(time.DateOnly))
	}
	return nil
}
