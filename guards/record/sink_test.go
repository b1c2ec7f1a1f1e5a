//go:build linux

package record

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// captured makes a run directory whose manifest and sidecar name sinks.
func captured(t *testing.T, manifest, sidecar string) *sinks {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"manifest.json": manifest, "sidecar.jsonl": sidecar} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &sinks{dir: dir}
}

func TestOnlyTheRunsOwnSinkIsAPlace(t *testing.T) {
	const manifest = `{"version":1,"capture":{"mode":"file","sinks":[{"file":"run.log","dev":2049,"ino":77,"start":0}]},"sha256":"00"}`
	tests := []struct {
		name              string
		manifest, sidecar string
		id                inode
		want              bool
	}{
		{"named by the manifest", manifest, "", inode{2049, 77}, true},
		{"another inode", manifest, "", inode{2049, 78}, false},
		{"another device", manifest, "", inode{2050, 77}, false},
		{"named by the sidecar", manifest, `{"v":1,"type":"sink","sink":{"file":"run.log","dev":2049,"ino":78}}` + "\n", inode{2049, 78}, true},
		{"named by another event", manifest, `{"v":1,"type":"fault","sink":{"dev":2049,"ino":78}}` + "\n", inode{2049, 78}, false},
		{"a sidecar that is being written", manifest, `{"v":1,"type":"sink","sink":{"dev":2049,"ino":78}}` + "\n" + `{"v":1,"type":"si`, inode{2049, 78}, true},
		{"no manifest", "", "", inode{2049, 77}, false},
		{"a manifest that is none", "hello", "", inode{2049, 77}, false},
		{"inode beyond 53 bits", `{"capture":{"sinks":[{"dev":1,"ino":18446744073709551615}]}}`, "", inode{1, 1<<64 - 1}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := captured(t, tt.manifest, tt.sidecar)
			if got := s.place(tt.id, 44); (got != nil) != tt.want {
				t.Errorf("got %+v", got)
			} else if got != nil && (got.Offset != 44 || got.Inode != tt.id.Inode) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// TestUnknownDescriptorsAreAskedForOnce: the run directory is not read anew at
// each record of a run whose output goes elsewhere.
func TestUnknownDescriptorsAreAskedForOnce(t *testing.T) {
	s := captured(t, "", "")
	for i := range 3 {
		for ino := range uint64(100) {
			s.place(inode{1, ino}, 0)
		}
		if len(s.asked) != maxAsked {
			t.Fatalf("round %d: asked %d times", i, len(s.asked))
		}
	}
}

// TestSinkIsWhereStandardOutputStands replaces descriptor 1 of this process.
func TestSinkIsWhereStandardOutputStands(t *testing.T) {
	dir := t.TempDir()
	log, err := os.OpenFile(filepath.Join(dir, "run.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var st syscall.Stat_t
	if err := syscall.Fstat(int(log.Fd()), &st); err != nil {
		t.Fatal(err)
	}
	manifest := fmt.Sprintf(`{"capture":{"sinks":[{"dev":%d,"ino":%d}]}}`, st.Dev, st.Ino)
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &sinks{dir: dir}
	if at := s.here(); at != nil {
		t.Fatalf("the test's own output is no sink: %+v", at)
	}
	restore := redirect(t, log)
	before := s.here()
	fmt.Println("wer 12.5")
	after := s.here()
	restore()
	if before == nil || before.Offset != 0 || after == nil || after.Offset != 9 || after.Inode != uint64(st.Ino) {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if at := s.here(); at != nil {
		t.Errorf("standard output is back, and still a sink: %+v", at)
	}
}
