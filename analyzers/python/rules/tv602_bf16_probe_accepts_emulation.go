package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// bf16Probes answer whether bfloat16 can be held, not whether it is computed in.
var bf16Probes = [...]string{"is_bf16_supported", "is_torch_bf16_gpu_available", "is_torch_bf16_available", "is_bf16_available"}

// tv602: the probe says yes where bfloat16 is emulated, and the precision of the
// run is chosen by it.
func tv602() Rule {
	return Rule{
		Code:  "TV602",
		Needs: [][]string{bf16Probes[:]},
		Check: func(f *File, r *Report) {
			if f.converts() {
				return
			}
			for _, name := range bf16Probes {
				for call := range f.CallsOf(name) {
					if f.permissiveProbe(call, name) && f.decides(call) && !f.asksCapability(call) {
						r.Add(f.emulatedProbe(call, name))
					}
				}
			}
		},
	}
}

func (f *File) permissiveProbe(call syntax.Node, name string) bool {
	if f.Next(f.First(call)) != 0 {
		return false // including_emulation, or one of another package
	}
	path := f.Path(f.First(call))
	if name == "is_bf16_supported" {
		return strings.HasSuffix(path, "cuda.is_bf16_supported") || strings.HasSuffix(path, "xpu.is_bf16_supported")
	}
	return strings.HasPrefix(path, "transformers.") || strings.HasPrefix(path, "accelerate.")
}

// decides reports whether the answer is used: not one that is only printed,
// asserted or thrown away.
func (f *File) decides(call syntax.Node) bool {
	for n, p := call, f.Parent(call); p != 0; n, p = p, f.Parent(p) {
		switch k := f.Kind(p); {
		case k == syntax.Assert, k == syntax.ExprStmt, k == syntax.FormattedValue:
			return false
		case k == syntax.Call && f.Role(n) == syntax.RoleArg:
			return f.Last(f.First(p)) == "bool" || f.Last(f.First(p)) == "all"
		case k.IsStatement():
			return f.Role(n) != syntax.RoleDecorate
		}
	}
	return false
}

// asksCapability reports whether the function also asks for the generation of
// the device, which tells emulation apart.
func (f *File) asksCapability(call syntax.Node) bool {
	def := f.Function(call)
	for _, name := range []string{"get_device_capability", "get_device_properties"} {
		for c := range f.CallsOf(name) {
			if f.Function(c) == def {
				return true
			}
		}
	}
	return false
}

func (f *File) emulatedProbe(call syntax.Node, name string) Finding {
	out := Finding{At: call, Message: name + "() is true where bfloat16 is only emulated: the run takes it for native, and is slower than float32 or uses no tensor cores while the log says bf16"}
	if name == "is_bf16_supported" {
		end := f.End(call) - 1
		out.Fixes = []Fix{{Message: "ask for native bfloat16 (the argument came with torch 2.4)", Edits: []Edit{{end, end, "including_emulation=False"}}}}
	}
	return out
}
