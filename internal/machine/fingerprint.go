package machine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Fingerprint is what a measurement of a device depends on. Any difference
// makes another fingerprint; what is not known is part of it as "unknown". The
// index of the device and the name of the host are none of it.
type Fingerprint []Detail

// unknown stands for a fact that could not be found.
const unknown = "unknown"

// fingerprintEnv are the variables that change what a framework computes, or
// how fast.
var fingerprintEnv = [...]string{
	"PYTORCH_MPS_HIGH_WATERMARK_RATIO", "PYTORCH_MPS_LOW_WATERMARK_RATIO", "PYTORCH_ENABLE_MPS_FALLBACK",
	"PYTORCH_MPS_FAST_MATH", "PYTORCH_MPS_PREFER_METAL",
	"NVIDIA_TF32_OVERRIDE", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "CUBLAS_WORKSPACE_CONFIG", "TORCH_BLAS_PREFER_HIPBLASLT",
	"OMP_NUM_THREADS", "MKL_NUM_THREADS", "ONEDNN_DEFAULT_FPMATH_MODE",
}

// notSetup are details that tell of a device's moment, not of its set-up.
var notSetup = [...]string{"recovery"}

// FingerprintOf describes the set-up of one device of this machine. The
// framework that measures adds its own part.
func FingerprintOf(ctx context.Context, sys System, d Device) Fingerprint {
	var f Fingerprint
	add := func(name, value string) {
		if value == "" {
			value = unknown
		}
		f = append(f, Detail{name, value})
	}
	add("kind", d.Kind)
	add("id", d.ID)
	add("name", d.Name)
	add("arch", d.Arch)
	add("memory", fmt.Sprint(d.Memory))
	if d.Kind != "cpu" { // it has none
		add("driver", d.Driver)
	}
	if d.MIG != "" {
		add("mig profile", d.MIG)
	}
	for _, x := range d.Details {
		if !slices.Contains(notSetup[:], x.Name) {
			add(x.Name, x.Value)
		}
	}
	add("os", sys.OS+"/"+sys.Arch)
	add("kernel", sys.kernel(ctx))
	add("power source", sys.power(ctx))
	for _, name := range fingerprintEnv {
		if v, set := sys.Env(name); set {
			add("env "+name, v)
		}
	}
	return f
}

// With adds facts, such as the versions of a framework.
func (f Fingerprint) With(more ...Detail) Fingerprint {
	f = slices.Clone(f)
	for _, d := range more {
		if d.Value == "" {
			d.Value = unknown
		}
		f = append(f, d)
	}
	return f
}

// Key is short and safe in file names.
func (f Fingerprint) Key() string {
	h := sha256.New()
	for _, d := range f {
		fmt.Fprintf(h, "%d:%s=%d:%s\n", len(d.Name), d.Name, len(d.Value), d.Value)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Changed names the facts in which two fingerprints differ.
func (f Fingerprint) Changed(old Fingerprint) []string {
	was := map[string]string{}
	for _, d := range old {
		was[d.Name] = d.Value
	}
	var out []string
	for _, d := range f {
		if v, ok := was[d.Name]; !ok || v != d.Value {
			out = append(out, d.Name)
		}
		delete(was, d.Name)
	}
	for _, d := range old {
		if _, left := was[d.Name]; left {
			out = append(out, d.Name)
		}
	}
	return out
}

func (s *System) kernel(ctx context.Context) string {
	if v := s.read("/proc/sys/kernel/osrelease"); v != "" {
		return v
	}
	if s.OS != "darwin" {
		return ""
	}
	out, err := s.Tool(ctx, "sysctl", "-n", "kern.osrelease")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// power says whether a laptop runs on its battery, which slows it down. A
// machine without a battery is on mains.
func (s *System) power(ctx context.Context) string {
	if s.OS == "darwin" {
		out, err := s.Tool(ctx, "pmset", "-g", "batt")
		switch {
		case err != nil:
			return ""
		case strings.Contains(out, "Battery Power"):
			return "battery"
		}
		return "mains"
	}
	for _, p := range s.glob("/sys/class/power_supply/*/type") {
		if s.read(p) == "Battery" && s.read(strings.TrimSuffix(p, "type")+"status") == "Discharging" {
			return "battery"
		}
	}
	return "mains"
}
