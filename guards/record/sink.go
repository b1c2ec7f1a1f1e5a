package record

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// sinks are the files that the captured output goes to, as the run directory
// names them.
type sinks struct {
	dir   string
	known []inode
	asked []inode // of descriptors that the run directory did not name
}

type inode struct{ Device, Inode uint64 }

// maxAsked bounds how often the run directory is read anew for a descriptor
// that it does not name.
const maxAsked = 16

// place returns where the sink stands, when the descriptor is one.
func (s *sinks) place(id inode, size int64) *Sink {
	if !s.knows(id) {
		return nil
	}
	return &Sink{Device: id.Device, Inode: id.Inode, Offset: size}
}

func (s *sinks) knows(id inode) bool {
	if slices.Contains(s.known, id) {
		return true
	}
	if slices.Contains(s.asked, id) || len(s.asked) >= maxAsked {
		return false
	}
	s.load()
	if slices.Contains(s.known, id) {
		return true
	}
	s.asked = append(s.asked, id)
	return false
}

// load reads the sinks of the manifest, and those that the sidecar adds.
func (s *sinks) load() {
	s.known = s.known[:0]
	s.readManifest()
	s.readSidecar()
}

type sinkJSON struct {
	Device uint64 `json:"dev"`
	Inode  uint64 `json:"ino"`
}

// maxManifest bounds what is read of a file that others wrote.
const maxManifest = 16 << 20

func (s *sinks) readManifest() {
	f, err := os.Open(filepath.Join(s.dir, "manifest.json"))
	if err != nil {
		return // no manifest: no sink is known, and records carry none
	}
	defer f.Close()
	var m struct {
		Capture struct {
			Sinks []sinkJSON `json:"sinks"`
		} `json:"capture"`
	}
	if json.NewDecoder(io.LimitReader(f, maxManifest)).Decode(&m) != nil {
		return
	}
	for _, k := range m.Capture.Sinks {
		s.known = append(s.known, inode(k))
	}
}

func (s *sinks) readSidecar() {
	f, err := os.Open(filepath.Join(s.dir, "sidecar.jsonl"))
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxManifest))
	lines.Buffer(nil, MaxLine)
	for lines.Scan() {
		var e struct {
			Type string    `json:"type"`
			Sink *sinkJSON `json:"sink"`
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Type == "sink" && e.Sink != nil {
			s.known = append(s.known, inode(*e.Sink))
		}
	}
}
