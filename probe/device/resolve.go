package device

import (
	"fmt"
	"strings"

	"github.com/trainvet/trainvet/internal/machine"
)

// Intent is what was asked for.
type Intent string

// Intents.
const (
	Auto Intent = "auto"
	GPU  Intent = "gpu"
	CPU  Intent = "cpu"
)

// Intents lists the words that are accepted.
func Intents() []string { return []string{"auto", "gpu", "cpu", "cuda", "mps", "rocm", "xpu"} }

// ParseIntent reads a word; the name of a backend asks for a GPU of that kind.
func ParseIntent(word string) (intent Intent, kind string, ok bool) {
	switch word {
	case "", "auto":
		return Auto, "", true
	case "gpu", "cpu":
		return Intent(word), "", true
	case "cuda", "mps", "rocm", "xpu":
		return GPU, word, true
	}
	return "", "", false
}

// Dtypes lists what may be asked for; auto leaves the choice open.
func Dtypes() []string { return []string{"auto", "float32", "bfloat16", "float16"} }

// Ask is what the user wants. It is never overwritten by what there is.
type Ask struct {
	Intent Intent
	Kind   string // of GPU, when one was named
	Dtype  string // auto, float32, bfloat16, float16
	Use    Use
}

// Known is what is known of the devices beyond their list.
type Known struct {
	Measured map[string]machine.Measured // by device id; only those that hold
	Taints   map[string][]machine.Taint  // uncleared, by device id
}

// Decision is the answer, with what was asked beside it.
type Decision struct {
	Version int    `json:"version"`
	Intent  Intent `json:"intent"`
	Asked   string `json:"asked"` // the very word
	Device  string `json:"device"`
	ID      string `json:"device_id"`
	Name    string `json:"device_name"`
	Why     string `json:"device_reason"`
	Met     bool   `json:"device_met"` // the device is one that was asked for

	AskedDtype string `json:"asked_dtype"`
	Dtype      string `json:"dtype"`
	DtypeWhy   string `json:"dtype_reason"`
	DtypeMet   bool   `json:"dtype_met"` // computed natively, when it was asked for

	// Capability is what there is, whatever was asked.
	Capability []Candidate     `json:"capability"`
	Devices    machine.Devices `json:"machine"`
	Notes      []string        `json:"notes,omitempty"`
}

// Candidate is a device with what speaks for and against it.
type Candidate struct {
	Device   machine.Device        `json:"device"`
	Prior    Prior                 `json:"native"`
	Measured []machine.Dtype       `json:"measured,omitempty"`
	Benches  []machine.BenchResult `json:"benches,omitempty"`
	Against  []Exclusion           `json:"against,omitempty"`
}

// Version is the version of the decision's JSON.
const Version = 1

// Resolve decides.
func Resolve(ask Ask, devices machine.Devices, known Known) Decision {
	d := Decision{Version: Version, Intent: ask.Intent, Asked: asked(ask), AskedDtype: ask.Dtype, Devices: devices, Notes: devices.Notes}
	if d.AskedDtype == "" {
		d.AskedDtype = "auto"
	}
	for _, x := range append(devices.Visible(), devices.CPU) {
		d.Capability = append(d.Capability, candidate(x, ask.Use, known))
	}
	chosen, why, met := choose(ask, d.Capability, devices)
	d.Device, d.ID, d.Name, d.Why, d.Met = chosen.Device.Label(), chosen.Device.ID, chosen.Device.Name, why, met
	d.chooseDtype(chosen)
	for _, e := range chosen.Against {
		if e.Effect != "out" || ask.Intent == GPU {
			d.Notes = append(d.Notes, d.Device+": "+e.Text)
		}
	}
	return d
}

func asked(ask Ask) string {
	if ask.Kind != "" {
		return ask.Kind
	}
	if ask.Intent == "" {
		return string(Auto)
	}
	return string(ask.Intent)
}

func candidate(x machine.Device, use Use, known Known) Candidate {
	c := Candidate{Device: x, Prior: PriorOf(x), Against: exclusions(x, use)}
	if m, ok := known.Measured[x.ID]; ok {
		c.Measured, c.Benches = m.Dtypes, m.Benches
	}
	for _, t := range known.Taints[x.ID] {
		c.Against = append(c.Against, Exclusion{
			Kind: x.Kind, Code: "taint", Effect: "out",
			Text: fmt.Sprintf("a fault of %s has not been cleared (%s): trainvet probe", t.Since.Format("2006-01-02"), t.Marker),
		})
	}
	return c
}

// choose takes the first device that fits the intent. The last candidate is the
// CPU.
func choose(ask Ask, all []Candidate, devices machine.Devices) (c Candidate, why string, met bool) {
	cpu := all[len(all)-1]
	if ask.Intent == CPU {
		return cpu, "asked for", true
	}
	var out []string
	for _, c := range all[:len(all)-1] {
		if ask.Kind != "" && c.Device.Kind != ask.Kind && (ask.Kind != "cuda" || c.Device.Kind != "rocm") {
			out = append(out, fmt.Sprintf("%s is of kind %s", c.Device.Name, c.Device.Kind))
			continue
		}
		if e := c.out(); e != "" && ask.Intent != GPU {
			out = append(out, fmt.Sprintf("%s: %s", c.Device.Name, e))
			continue
		}
		why = "the first visible device"
		if ask.Intent == GPU {
			why = "asked for"
		}
		return c, fmt.Sprintf("%s: %s", why, describe(c.Device)), true
	}
	for _, x := range devices.Accels {
		if x.Hidden != "" {
			out = append(out, fmt.Sprintf("%s: %s", x.Name, x.Hidden))
		}
	}
	if len(out) == 0 {
		out = []string{"this machine shows no accelerator"}
	}
	return cpu, strings.Join(out, "; "), ask.Intent != GPU
}

// out is the first reason to leave the device out.
func (c *Candidate) out() string {
	for _, e := range c.Against {
		if e.Effect == "out" {
			return e.Text
		}
	}
	return ""
}

func describe(d machine.Device) string {
	text := d.Name
	switch d.Kind {
	case "cuda":
		if d.Arch != "" {
			text += ", compute capability " + d.Arch
		}
	case "rocm":
		text += ", " + d.Arch
	}
	if d.Memory > 0 {
		text += fmt.Sprintf(", %d GiB", (d.Memory+1<<29)>>30)
	}
	return text
}

// chooseDtype decides on the precision: what was measured, else the table. CPU
// and MPS stay at float32 unless something was measured faster and finite.
func (d *Decision) chooseDtype(c Candidate) {
	if d.AskedDtype != "auto" {
		d.Dtype, d.DtypeWhy, d.DtypeMet = d.AskedDtype, "asked for", true
		if word, native := c.native(d.AskedDtype); !native {
			d.DtypeWhy, d.DtypeMet = "asked for; "+word, false
		}
		return
	}
	d.DtypeMet = true
	if d.benched(c) {
		return
	}
	for _, dtype := range [...]string{"bfloat16", "float16"} {
		if m := c.measured(dtype); m != nil && m.Finite && m.Word == FasterHere {
			d.Dtype, d.DtypeWhy = dtype, fmt.Sprintf("measured: a training step is %.2f times as fast as in float32", m.Step)
			return
		}
	}
	d.Dtype = "float32"
	if m := c.measured("bfloat16"); m != nil {
		d.DtypeWhy = fmt.Sprintf("measured: in bfloat16 a training step runs at %.2f times the speed of float32 (%s)", m.Step, m.Word)
		return
	}
	switch {
	case c.Device.Kind == "cpu" || c.Device.Kind == "mps":
		d.DtypeWhy = "nothing smaller was measured faster here (trainvet probe --only dtype)"
	case c.Prior.BF16 == NativeYes:
		d.Dtype, d.DtypeWhy = "bfloat16", "the device computes it natively ("+c.Prior.Why+"); not measured here"
	default:
		d.DtypeWhy = "bfloat16: " + c.Prior.Why
	}
}

// benched takes what whole runs have shown, which wins over single steps.
func (d *Decision) benched(c Candidate) bool {
	for _, b := range c.Benches {
		dtype, ok := strings.CutPrefix(b.Arm, "dtype=")
		if !ok || b.Against != "dtype=float32" || strings.Contains(dtype, ",") {
			continue
		}
		d.Dtype = "float32"
		if b.Lo > 1 {
			d.Dtype = dtype
		}
		d.DtypeWhy = fmt.Sprintf("benched (%s): whole runs in %s are %.3g times as fast as in float32 [%.3g, %.3g]", b.What, dtype, b.Ratio, b.Lo, b.Hi)
		return true
	}
	return false
}

// Words of a measurement of a dtype.
const (
	Emulated   = "emulated"
	SlowerHere = "native, slower here"
	FasterHere = "faster here"
)

// native says whether the device computes a dtype itself, by measurement or
// table.
func (c *Candidate) native(dtype string) (word string, native bool) {
	if m := c.measured(dtype); m != nil {
		if m.Word == Emulated {
			return fmt.Sprintf("measured: emulated on this device, at %.2f times the speed of float32", m.MatMul), false
		}
		return "measured", true
	}
	if c.Prior.Of(dtype) == NativeNo {
		return "emulated on this device: " + c.Prior.Why, false
	}
	return "", true
}

func (c *Candidate) measured(dtype string) *machine.Dtype {
	for i := range c.Measured {
		if c.Measured[i].Name == dtype {
			return &c.Measured[i]
		}
	}
	return nil
}
