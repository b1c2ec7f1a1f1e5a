package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Measured is what was measured of a device under one fingerprint.
type Measured struct {
	Version     int         `json:"version"`
	Device      string      `json:"device"` // its id
	Setup       Fingerprint `json:"setup"`  // of the machine
	Framework   Fingerprint `json:"framework"`
	At          time.Time   `json:"at"`
	BootID      string      `json:"boot_id"`
	FrameworkAt string      `json:"framework_at,omitempty"` // folder of the framework, to see that it is still that one
	Dtypes      []Dtype     `json:"dtypes,omitempty"`
	// Benches are results of bench, by what was run.
	Benches []BenchResult `json:"benches,omitempty"`
}

// Dtype is what was measured of one dtype, against float32 on the same device.
type Dtype struct {
	Name    string  `json:"name"`
	Claimed string  `json:"claimed,omitempty"` // what the framework's own query says
	MatMul  float64 `json:"matmul"`            // times float32's speed; 0: not measured
	Step    float64 `json:"step"`              // a whole training step, times float32's speed
	Finite  bool    `json:"finite"`
	Word    string  `json:"word"` // emulated; native, slower here; faster here
	Text    string  `json:"text,omitempty"`
}

// BenchResult is what a bench found of one arm, held against another.
type BenchResult struct {
	What    string          `json:"what"` // the model that was run
	Arm     string          `json:"arm"`
	Against string          `json:"against"`
	Ratio   float64         `json:"ratio"` // speed end to end, times the other's
	Lo      float64         `json:"lo"`
	Hi      float64         `json:"hi"`
	Report  json.RawMessage `json:"report,omitempty"` // all of it, with the first arm
}

// measuredVersion is the version of a file of measurements.
const measuredVersion = 1

func (s *Store) measuredPath(setup, framework Fingerprint) string {
	return filepath.Join(s.dir, "measured-"+setup.Key()+"-"+framework.Key()+".json")
}

// Measure changes the measurements of one set-up and framework. A file that
// cannot be read is started anew: it holds nothing that could not be measured
// again.
func (s *Store) Measure(setup, framework Fingerprint, change func(*Measured)) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("making the state directory: %w", err)
	}
	path := s.measuredPath(setup, framework)
	unlock, err := lock(path + ".lock")
	if err != nil {
		return fmt.Errorf("locking the measurements: %w", err)
	}
	defer unlock()
	m, err := readMeasured(path)
	if err != nil {
		m = Measured{}
	}
	change(&m)
	m.Version, m.Setup, m.Framework, m.At = measuredVersion, setup, framework, s.now().UTC()
	return replace(path, m)
}

func readMeasured(path string) (Measured, error) {
	var m Measured
	info, err := os.Lstat(path)
	if err != nil {
		return m, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return m, fmt.Errorf("%s: no regular file of at most %d bytes", filepath.Base(path), maxFile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if m.Version != measuredVersion {
		return m, fmt.Errorf("%s: version %d, only %d is known", filepath.Base(path), m.Version, measuredVersion)
	}
	return m, nil
}

// MeasuredOf lists the measurements of a device, the newest first, whatever
// their set-up: the caller says which still hold.
func (s *Store) MeasuredOf(device string) ([]Measured, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the machine state: %w", err)
	}
	var out []Measured
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "measured-") || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		if m, err := readMeasured(filepath.Join(s.dir, e.Name())); err == nil && m.Device == device {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Measured) int { return b.At.Compare(a.At) })
	return out, nil
}

// Holds reports whether measurements still describe the device: the set-up is
// the same, and the framework still stands where it stood in its version. why
// names what changed.
func (m *Measured) Holds(setup Fingerprint) (ok bool, why string) {
	if changed := setup.Changed(m.Setup); len(changed) > 0 {
		return false, "changed since: " + strings.Join(changed, ", ")
	}
	if m.FrameworkAt == "" {
		return true, ""
	}
	text, err := os.ReadFile(filepath.Join(m.FrameworkAt, "version.py"))
	if err != nil {
		return false, "the framework that measured is gone"
	}
	for _, d := range m.Framework {
		if d.Name == "torch" && !strings.Contains(string(text), "'"+d.Value+"'") {
			return false, "the framework that measured is another version now"
		}
	}
	return true, ""
}
