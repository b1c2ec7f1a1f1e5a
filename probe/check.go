package probe

import (
	_ "embed"
	"path"
	"strings"
	"time"
)

// checksTSV lists the checks: group, name, what is looked at.
//
//go:embed checks.tsv
var checksTSV string

// Check is one thing that is looked at.
type Check struct {
	Group string `json:"group"`
	Name  string `json:"name"`
	What  string `json:"what"`
}

// Checks lists them in the order in which they run.
func Checks() []Check {
	var out []Check
	for row := range strings.Lines(checksTSV) {
		f := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(f) == 3 && f[0] != "group" {
			out = append(out, Check{f[0], f[1], f[2]})
		}
	}
	return out
}

// Groups lists the groups of checks in their order. machine needs no Python.
func Groups() []string { return []string{"machine", "train", "parity", "transfer", "dtype"} }

// selected are the checks that the patterns name, by name or group; none: all.
func selected(only []string) []Check {
	var out []Check
	for _, c := range Checks() {
		if len(only) == 0 {
			out = append(out, c)
			continue
		}
		for _, p := range only {
			if c.fits(p) {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

func (c *Check) fits(pattern string) bool {
	if pattern == c.Group {
		return true
	}
	ok, err := path.Match(pattern, c.Name)
	return err == nil && ok
}

// Fits reports whether a pattern names any check, or may name one of the user's.
func Fits(pattern string) bool {
	for _, c := range Checks() {
		if c.fits(pattern) {
			return true
		}
	}
	return strings.HasPrefix(pattern, "user-")
}

// Status of a check.
type Status string

// The statuses. Fail, Crash and Hang speak against the device.
const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	Crash Status = "crash"
	Hang  Status = "hang"
	Known Status = "known" // wrong, and wrong on every device of the kind in this version
	Warn  Status = "warn"  // to be looked at; it does not judge the device
	Skip  Status = "skip"
)

// Against reports whether the status speaks against the device.
func (s Status) Against() bool { return s == Fail || s == Crash || s == Hang }

// Result is what one check said.
type Result struct {
	Group    string         `json:"group"`
	Name     string         `json:"name"`
	Device   string         `json:"device,omitempty"` // as frameworks call it
	Status   Status         `json:"status"`
	Text     string         `json:"text"`
	Evidence string         `json:"evidence,omitempty"` // the line that a crash or hang left
	Numbers  map[string]any `json:"numbers,omitempty"`
	Seconds  float64        `json:"seconds,omitempty"`
}

// Facts are what the framework says of itself.
type Facts struct {
	Python     string            `json:"python,omitempty"` // version
	Executable string            `json:"executable,omitempty"`
	Torch      string            `json:"torch,omitempty"`
	TorchError string            `json:"torch_error,omitempty"`
	Folder     string            `json:"torch_folder,omitempty"`
	CUDA       string            `json:"cuda,omitempty"`
	HIP        string            `json:"hip,omitempty"`
	CuDNN      string            `json:"cudnn,omitempty"`
	Vision     string            `json:"torchvision,omitempty"`
	Audio      string            `json:"torchaudio,omitempty"`
	Devices    map[string]string `json:"devices,omitempty"`
}

// Report is what a probe says.
type Report struct {
	Version int       `json:"version"`
	At      string    `json:"at"`
	Broken  string    `json:"broken,omitempty"` // the control failed: nothing is said of any device
	Facts   Facts     `json:"framework"`
	Devices []Verdict `json:"devices"`
	Results []Result  `json:"results"`
	Notes   []string  `json:"notes,omitempty"`
	Missing []string  `json:"not_checked,omitempty"` // what could not be looked at, and why

	elapsed time.Duration
}

// Verdict is what is said of one device.
type Verdict struct {
	Device string `json:"device"`
	ID     string `json:"id"`
	Name   string `json:"name"`
	// Passed: all groups ran whole and nothing speaks against the device.
	Passed bool   `json:"passed"`
	Whole  bool   `json:"whole"` // all groups ran
	Text   string `json:"text"`
	Taints int    `json:"taints"` // that are left
}

// Failed reports whether any check speaks against the machine or a device.
func (r *Report) Failed() bool {
	for i := range r.Results {
		if r.Results[i].Status.Against() {
			return true
		}
	}
	return false
}
