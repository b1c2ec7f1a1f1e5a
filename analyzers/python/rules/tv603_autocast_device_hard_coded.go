package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv603: the device of the run is chosen, that of autocast is not.
func tv603() Rule {
	return Rule{
		Code:  "TV603",
		Needs: [][]string{{"autocast("}, {"cuda"}},
		Check: func(f *File, r *Report) {
			if strings.HasSuffix(f.FileName, ".ipynb") || f.needsCuda() {
				return
			}
			for call := range f.CallsOf("autocast") {
				if !f.cudaAutocast(call) || f.cudaKnown(call) || f.decorates(call) {
					continue
				}
				if at := f.chosenDevice(); at != 0 {
					r.Add(Finding{At: call, Message: "autocast is for CUDA whatever device the run is on: elsewhere it does nothing, and the numbers are those of full precision",
						Related: []Related{{At: at, Message: "the device is chosen here"}}, Fixes: f.autocastFix(call)})
				}
			}
		},
	}
}

// cudaAutocast reports whether a call of autocast is for CUDA, and may be on.
func (f *File) cudaAutocast(call syntax.Node) bool {
	if f.IsFalse(f.Keyword(call, "enabled")) || f.Unpacks(call) {
		return false
	}
	if dtype := f.Path(f.Keyword(call, "dtype")); dtype == "torch.float32" || dtype == "torch.float" {
		return false // full precision, which it is elsewhere too
	}
	path := f.Path(f.First(call))
	switch {
	case strings.HasSuffix(path, "cuda.amp.autocast"), strings.HasSuffix(path, "cuda.amp.autocast_mode.autocast"):
		return !f.IsFalse(f.Arg(call, 0))
	case path == "torch.autocast", path == "torch.amp.autocast", path == "torch.amp.autocast_mode.autocast":
		return f.deviceOf(f.ArgOr(call, 0, "device_type")) == "cuda"
	}
	return false
}

// cudaKnown reports whether the code around or the switch of an autocast knows
// of the device.
func (f *File) cudaKnown(call syntax.Node) bool {
	if e := f.Keyword(call, "enabled"); e != 0 && f.speaksOfDevice(e) {
		return true
	}
	if f.needsCudaHere(call) {
		return true
	}
	for n, p := call, f.Parent(call); p != 0; n, p = p, f.Parent(p) {
		k := f.Kind(p)
		if (k == syntax.If || k == syntax.IfExp) && f.Role(n) != syntax.RoleTest && f.speaksOfDevice(f.Child(p, syntax.RoleTest)) {
			return true
		}
	}
	return false
}

// needsCudaHere reports whether the function around a node fails without CUDA
// anyway: it calls x.cuda(), torch.cuda.synchronize().
func (f *File) needsCudaHere(n syntax.Node) bool {
	def := f.Function(n)
	for _, name := range []string{"cuda", "synchronize", "set_device", "current_stream"} {
		for c := range f.CallsOf(name) {
			if f.Function(c) == def && f.Kind(f.First(c)) == syntax.Attribute && (name == "cuda" || strings.HasPrefix(f.Path(f.First(c)), "torch.cuda.")) {
				return true
			}
		}
	}
	return false
}

func (f *File) speaksOfDevice(n syntax.Node) bool {
	if f.namesDevice(n) {
		return true
	}
	for c := range f.Preorder(n) {
		if f.Kind(c) == syntax.Name || f.Kind(c) == syntax.Attribute {
			list, _ := f.Values(c)
			for _, v := range list {
				if f.namesDevice(v) {
					return true
				}
			}
		}
	}
	return false
}

func (f *File) namesDevice(n syntax.Node) bool {
	src := bytes.ToLower(f.Source(n))
	return bytes.Contains(src, []byte("cuda")) || bytes.Contains(src, []byte("device")) || bytes.Contains(src, []byte("gpu")) || bytes.Contains(src, []byte("cpu"))
}

func (f *File) decorates(call syntax.Node) bool { return f.Role(call) == syntax.RoleDecorate }

// chosenDevice is where a file chooses between CUDA and something else; 0: it
// does not.
func (f *File) chosenDevice() (at syntax.Node) {
	f.cudaPickers(func(p picker) bool {
		at = p.node
		return false
	})
	if at != 0 {
		return at
	}
	for call := range f.CallsOf("is_available") {
		if strings.HasSuffix(f.Path(f.First(call)), "mps.is_available") {
			return call
		}
	}
	for call := range f.CallsOf("add_argument") {
		name, _ := f.Str(f.Arg(call, 0))
		if d := f.deviceOf(f.Keyword(call, "default")); name == "--device" && (d != "" || f.Keyword(call, "choices") != 0) {
			return call
		}
	}
	return 0
}

// autocastFix takes the type of a torch.device that the function knows.
func (f *File) autocastFix(call syntax.Node) []Fix {
	arg := f.ArgOr(call, 0, "device_type")
	if d := f.deviceOf(arg); d != "cuda" {
		return nil
	}
	for b := range f.Names.Lookup(call, []byte("device")) {
		if f.Kind(b.Value) == syntax.Call && f.Is(b.Value, "torch.device") {
			return []Fix{{Message: "take the type of the device", Edits: []Edit{f.Replace(arg, "device.type")}}}
		}
	}
	return nil
}
