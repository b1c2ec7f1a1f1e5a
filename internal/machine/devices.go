package machine

import (
	"context"
	"strings"
)

// Device is a device that a framework could compute on.
type Device struct {
	Kind   string `json:"kind"`  // cuda, rocm, mps, xpu, cpu
	ID     string `json:"id"`    // uuid; of a device without one: kind and name, as "mps:Apple M2"
	Index  int    `json:"index"` // among the visible ones of its kind, as frameworks count; -1: not visible
	Name   string `json:"name"`
	Arch   string `json:"arch,omitempty"`   // 8.6, gfx90a, apple-2, or features of a CPU
	Driver string `json:"driver,omitempty"` // of the kernel
	Bus    string `json:"bus,omitempty"`    // PCI address
	Memory int64  `json:"memory,omitempty"` // bytes; 0: not known
	MIG    string `json:"mig,omitempty"`    // profile of a part of a device
	Parent string `json:"parent,omitempty"` // uuid of the device that it is a part of
	// Details are what else tells two set-ups apart: firmware, power cap, modes.
	Details []Detail `json:"details,omitempty"`
	// Hidden says why the device is not visible to frameworks.
	Hidden string `json:"hidden,omitempty"`
}

// Detail is a named fact.
type Detail struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Detail returns a fact by its name; empty: not known.
func (d *Device) Detail(name string) string {
	for _, x := range d.Details {
		if x.Name == name {
			return x.Value
		}
	}
	return ""
}

// Label names the device as frameworks do: cuda:0. Those of AMD are called cuda
// there too.
func (d *Device) Label() string {
	switch d.Kind {
	case "cpu", "mps":
		return d.Kind
	case "rocm":
		return "cuda:" + itoa(d.Index)
	}
	return d.Kind + ":" + itoa(d.Index)
}

// Devices is what this machine has, the CPU among it, found without Python and
// without loading any driver library.
type Devices struct {
	CPU    Device   `json:"cpu"`
	Accels []Device `json:"accelerators"` // visible ones first, in the order of frameworks
	// Notes are what made a device invisible, or left something unknown.
	Notes []string `json:"notes,omitempty"`
}

// Visible are the accelerators that a framework could use.
func (d *Devices) Visible() []Device {
	var out []Device
	for _, x := range d.Accels {
		if x.Hidden == "" {
			out = append(out, x)
		}
	}
	return out
}

// ListDevices looks at the machine. It never fails: what could not be looked at
// is a note. It takes as long as the tools of the drivers do, and at most as
// the context allows.
func ListDevices(ctx context.Context, sys System) Devices {
	out := Devices{CPU: sys.cpu(ctx)}
	for _, look := range []func(context.Context) ([]Device, []string){sys.nvidia, sys.amd, sys.intel, sys.apple} {
		found, notes := look(ctx)
		for _, hidden := range []bool{false, true} {
			for _, d := range found {
				if (d.Hidden != "") == hidden {
					out.Accels = append(out.Accels, d)
				}
			}
		}
		out.Notes = append(out.Notes, notes...)
	}
	return out
}

// PCI address as 0000:3b:00.0: nvidia-smi writes the domain with eight digits.
func busAddress(text string) string {
	text = strings.ToLower(text)
	if domain, rest, ok := strings.Cut(text, ":"); ok && len(domain) == 8 {
		return domain[4:] + ":" + rest
	}
	return text
}
