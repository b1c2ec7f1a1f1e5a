package probe

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/internal/machine"
)

// Record keeps what the probe says of each device, and of the machine, in the
// machine state, and fills the report's verdicts. A pass counts only when all
// groups ran whole; a failure always counts. Two passes in a row clear faults.
func (r *Report) Record(store *machine.Store, host, bootID string, devices []machine.Device, at time.Time) error {
	if r.Broken != "" {
		return nil
	}
	var errs []error
	allWhole := len(devices) > 0
	for _, d := range devices {
		v := r.verdict(d)
		allWhole = allWhole && v.Whole
		if v.Passed || r.against(d.Label()) != nil {
			key := machine.Key{Kind: machine.KindDevice, ID: d.ID}
			p := machine.Probe{Name: v.name(r), Passed: v.Passed, At: at, BootID: bootID, Driver: d.Driver, Framework: r.framework(), Text: v.Text}
			left, err := record(store, key, d.Name, bootID, p)
			v.Taints = left
			errs = append(errs, err)
		}
		r.Devices = append(r.Devices, v)
	}
	if fails := r.against(""); allWhole || fails != nil {
		p := machine.Probe{Name: "all", Passed: !r.Failed(), At: at, BootID: bootID, Framework: r.framework(), Text: textOf(fails)}
		_, err := record(store, machine.Key{Kind: machine.KindMachine, ID: host}, host, bootID, p)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func record(store *machine.Store, key machine.Key, name, bootID string, p machine.Probe) (left int, err error) {
	err = store.Update(key, func(st *machine.State) error {
		st.Name = name
		st.Boot(bootID, p.At)
		st.AddProbe(p)
		left = len(st.Uncleared())
		return nil
	})
	return left, err
}

// verdict sums the results of one device up.
func (r *Report) verdict(d machine.Device) Verdict {
	v := Verdict{Device: d.Label(), ID: d.ID, Name: d.Name}
	passed := map[string]int{}
	for _, x := range r.Results {
		if x.Device == v.Device && x.Status == Pass {
			passed[x.Group]++
		}
	}
	v.Whole = r.ranAll(v.Device)
	for _, g := range [...]string{"train", "parity", "transfer"} {
		v.Whole = v.Whole && passed[g] > 0
	}
	fails := r.against(v.Device)
	v.Text = textOf(fails)
	v.Passed = v.Whole && len(fails) == 0
	return v
}

// ranAll reports whether every check has a result on the device.
func (r *Report) ranAll(device string) bool {
	for _, c := range Checks() {
		if c.Group == "machine" {
			continue
		}
		if !slices.ContainsFunc(r.Results, func(x Result) bool { return x.Device == device && x.Name == c.Name }) {
			return false
		}
	}
	return true
}

// against lists what speaks against a device; "": against the machine.
func (r *Report) against(device string) []Result {
	var out []Result
	for _, x := range r.Results {
		if x.Device == device && x.Status.Against() {
			out = append(out, x)
		}
	}
	return out
}

func textOf(fails []Result) string {
	var texts []string
	for _, f := range fails {
		texts = append(texts, f.Name+": "+f.Text)
	}
	return strings.Join(texts, "; ")
}

func (v *Verdict) name(r *Report) string {
	if v.Whole {
		return "all"
	}
	var groups []string
	for _, x := range r.Results {
		if x.Device == v.Device && !slices.Contains(groups, x.Group) {
			groups = append(groups, x.Group)
		}
	}
	return strings.Join(groups, " ")
}

func (r *Report) framework() string {
	if r.Facts.Torch == "" {
		return ""
	}
	return "torch " + r.Facts.Torch
}

// Measurements keeps what was measured of dtypes, for trainvet device, under
// the fingerprint of the device and the framework.
func (r *Report) Measurements(ctx context.Context, store *machine.Store, sys machine.System, bootID string, devices []machine.Device) error {
	var errs []error
	for _, d := range devices {
		var dtypes []machine.Dtype
		for _, x := range r.Results {
			if x.Device == d.Label() && x.Group == "dtype" && strings.HasPrefix(x.Name, "dtype-") && x.Numbers["word"] != nil {
				dtypes = append(dtypes, dtypeOf(x))
			}
		}
		if len(dtypes) == 0 {
			continue
		}
		errs = append(errs, store.Measure(machine.FingerprintOf(ctx, sys, d), r.Facts.Fingerprint(), func(m *machine.Measured) {
			m.Device, m.BootID, m.Dtypes, m.FrameworkAt = d.ID, bootID, dtypes, filepath.Clean(r.Facts.Folder)
		}))
	}
	return errors.Join(errs...)
}

func dtypeOf(x Result) machine.Dtype {
	number := func(name string) float64 { v, _ := x.Numbers[name].(float64); return v }
	finite, _ := x.Numbers["finite"].(bool)
	return machine.Dtype{
		Name: strings.TrimPrefix(x.Name, "dtype-"), Claimed: fmt.Sprint(x.Numbers["claimed"]), MatMul: number("matmul"), Step: number("step"),
		Finite: finite, Word: fmt.Sprint(x.Numbers["word"]), Text: x.Text,
	}
}

// Fingerprint is the framework's part of what a measurement depends on.
func (f *Facts) Fingerprint() machine.Fingerprint {
	return machine.Fingerprint{}.With(
		machine.Detail{Name: "torch", Value: f.Torch}, machine.Detail{Name: "torchvision", Value: f.Vision},
		machine.Detail{Name: "cuda", Value: f.CUDA}, machine.Detail{Name: "cudnn", Value: f.CuDNN}, machine.Detail{Name: "rocm", Value: f.HIP},
		machine.Detail{Name: "python", Value: f.Python},
	)
}
