package device

import (
	_ "embed"
	"strings"

	"github.com/trainvet/trainvet/internal/machine"
)

// dtypesTSV is the prior: what devices compute natively. The first row that
// fits holds. arch is the beginning of an architecture, or all of it where $
// ends it; for a CPU it is one of its features.
//
//go:embed dtypes.tsv
var dtypesTSV string

// Native says whether a device computes in a dtype itself.
type Native string

// Whether it does. Ask means that only a measurement tells.
const (
	NativeYes Native = "yes"
	NativeNo  Native = "no"
	NativeAsk Native = "ask"
)

// Prior is what the table says of a device.
type Prior struct {
	FP16 Native `json:"float16"`
	BF16 Native `json:"bfloat16"`
	TF32 Native `json:"tf32"`
	FP8  Native `json:"float8"`
	Why  string `json:"why"`
}

// PriorOf looks a device up. Without a known architecture only a measurement
// can tell.
func PriorOf(d machine.Device) Prior {
	for row := range strings.Lines(dtypesTSV) {
		f := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(f) == 8 && f[0] == d.Kind && fits(d, f[1]) && strings.Contains(d.Name, f[2]) {
			return Prior{Native(f[3]), Native(f[4]), Native(f[5]), Native(f[6]), f[7]}
		}
	}
	return Prior{NativeAsk, NativeAsk, NativeAsk, NativeAsk, "its architecture is not known: measure"}
}

func fits(d machine.Device, arch string) bool {
	if d.Kind == "cpu" {
		return arch == "" || strings.Contains(" "+d.Arch+" ", " "+arch+" ")
	}
	if whole, ok := strings.CutSuffix(arch, "$"); ok {
		return d.Arch == whole
	}
	return d.Arch != "" && strings.HasPrefix(d.Arch, arch) || arch == ""
}

// Of returns the native state of a dtype by its name in frameworks.
func (p Prior) Of(dtype string) Native {
	switch dtype {
	case "float16":
		return p.FP16
	case "bfloat16":
		return p.BF16
	case "tf32":
		return p.TF32
	case "float8":
		return p.FP8
	}
	return NativeYes // float32
}
