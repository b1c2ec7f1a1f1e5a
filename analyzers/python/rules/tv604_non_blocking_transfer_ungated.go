package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv604: a copy that is not waited for is read, or its source let go, before it
// is done: on mps in both directions, elsewhere from the device to the host.
func tv604() Rule {
	return Rule{
		Code:  "TV604",
		Needs: [][]string{{"non_blocking"}},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"to", "copy_", "cpu"} {
				for call := range f.CallsOf(name) {
					if !f.isNonBlocking(call, name) {
						continue
					}
					if read := f.readTooEarly(call); read != 0 {
						r.Add(f.earlyRead(call, read))
					} else if f.mayGoToMPS(call, name) {
						r.Add(f.ungated(call, name))
					}
				}
			}
		},
	}
}

func (f *File) isNonBlocking(call syntax.Node, name string) bool {
	if f.Kind(f.First(call)) != syntax.Attribute || f.Unpacks(call) {
		return false
	}
	return f.IsTrue(f.Keyword(call, "non_blocking")) || name == "copy_" && f.IsTrue(f.Arg(call, 1))
}

// mayGoToMPS reports whether a transfer goes to a device that is chosen, by a
// file that can choose mps.
func (f *File) mayGoToMPS(call syntax.Node, name string) bool {
	if name != "to" || !f.mpsReachable() || f.cudaGated(call) {
		return false
	}
	to := f.ArgOr(call, 0, "device")
	if to == 0 {
		return false
	}
	if d := f.deviceOf(to); d != "" {
		return d == "mps"
	}
	return f.Kind(to) != syntax.Constant && !f.onlyCuda(to) && !f.isDtype(to)
}

// onlyCuda reports whether all values of a name are CUDA devices, or the name
// says so.
func (f *File) onlyCuda(n syntax.Node) bool {
	if name := strings.ToLower(f.Last(n)); strings.Contains(name, "cuda") || strings.Contains(name, "rank") || strings.Contains(name, "cpu") || strings.Contains(name, "offload") {
		return true
	}
	list, sure := f.Values(n)
	if !sure {
		return false
	}
	for _, v := range list {
		if d := f.deviceOf(v); d == "" || d == "mps" {
			return false
		}
	}
	return true
}

func (f *File) isDtype(n syntax.Node) bool {
	name := strings.ToLower(f.Last(n))
	return strings.Contains(name, "dtype") || strings.HasPrefix(f.Path(n), "torch.") && !f.Is(n, "torch.device")
}

// decoratedForCuda reports whether a decorator says that a function runs on
// CUDA: custom_bwd(device_type="cuda").
func (f *File) decoratedForCuda(def syntax.Node) bool {
	for d := range f.ChildrenOf(def, syntax.RoleDecorate) {
		if strings.Contains(f.Src(d), "cuda") {
			return true
		}
	}
	return false
}

// cudaGated reports whether a transfer stands under a condition about its
// device.
func (f *File) cudaGated(call syntax.Node) bool {
	for n, p := call, f.Parent(call); p != 0; n, p = p, f.Parent(p) {
		k := f.Kind(p)
		if k.IsFunction() {
			return f.decoratedForCuda(p)
		}
		if (k == syntax.If || k == syntax.IfExp) && f.Role(n) != syntax.RoleTest {
			test := strings.ToLower(f.Src(f.Child(p, syntax.RoleTest)))
			if strings.Contains(test, "cuda") || strings.Contains(test, "mps") || strings.Contains(test, "device") || strings.Contains(test, "pin") {
				return true
			}
		}
	}
	return false
}

func (f *File) ungated(call syntax.Node, name string) Finding {
	out := Finding{At: call, Message: "the copy is not waited for, and its device may be mps, where the source can be let go before it was read: the model is fed what lies there by then"}
	if v := f.Keyword(call, "non_blocking"); v != 0 {
		to := f.ArgOr(call, 0, "device")
		text := "torch.device(" + f.Src(to) + ").type == \"cuda\""
		if f.Made(to, "torch.device") {
			text = f.Src(to) + ".type == \"cuda\""
		}
		if f.Path(to) != "" && f.Kind(to) != syntax.Call {
			out.Fixes = []Fix{{Message: "do not wait on CUDA alone", Safe: true, Edits: []Edit{f.Replace(v, text)}}}
		}
	}
	return out
}

// readers give what a tensor holds to the host.
var readers = map[string]bool{"numpy": true, "tolist": true, "item": true}

// readTooEarly is where a copy to the host is read before anything waited for
// it; 0: nowhere that is seen.
func (f *File) readTooEarly(call syntax.Node) syntax.Node {
	if d := f.deviceOf(f.ArgOr(call, 0, "device")); d != "cpu" && f.Last(f.First(call)) != "cpu" || f.Last(f.First(call)) == "copy_" {
		return 0
	}
	if p := f.Parent(call); f.Kind(p) == syntax.Attribute && readers[string(f.Name(p))] && f.Role(p) == syntax.RoleFunc {
		return f.Parent(p)
	}
	stmt := f.Parent(call)
	if f.Kind(stmt) != syntax.Assign || f.Kind(f.Child(stmt, syntax.RoleTarget)) != syntax.Name {
		return 0
	}
	target := f.Child(stmt, syntax.RoleTarget)
	for name := range readers {
		for read := range f.CallsOf(name) {
			if object := f.Receiver(read); f.Kind(object) == syntax.Name && string(f.Name(object)) == string(f.Name(target)) &&
				f.Function(read) == f.Function(call) && f.Start(read) > f.End(call) && f.reachesUnwaited(stmt, read) {
				return read
			}
		}
	}
	return 0
}

// waits are calls behind which all copies, or those of a stream, are done.
var waits = []string{"synchronize", "wait", "wait_stream", "wait_event", "query"}

// reachesUnwaited reports whether the read follows the copy with no wait
// between them.
func (f *File) reachesUnwaited(stmt, read syntax.Node) bool {
	for _, name := range waits {
		for w := range f.CallsOf(name) {
			if f.Function(w) == f.Function(read) && f.Start(w) > f.Start(stmt) && f.Start(w) < f.Start(read) {
				return false
			}
		}
	}
	if f.blocksBetween(stmt, read) {
		return false
	}
	g := f.Graph(read)
	for from := range g.At(stmt) {
		for to := range g.At(read) {
			if g.Reaches(from, to) {
				return true
			}
		}
	}
	return false
}

// blocksBetween reports whether another copy to the host that is waited for
// stands between two nodes: it waits for what was asked for before it, too.
func (f *File) blocksBetween(stmt, read syntax.Node) bool {
	target := f.Src(f.Child(stmt, syntax.RoleTarget))
	for _, name := range []string{"item", "cpu", "tolist", "to"} {
		for c := range f.CallsOf(name) {
			if f.Function(c) != f.Function(read) || f.Start(c) < f.End(stmt) || f.Start(c) >= f.Start(read) || f.Src(f.Receiver(c)) == target {
				continue
			}
			if !f.IsTrue(f.Keyword(c, "non_blocking")) && (name != "to" || f.deviceOf(f.ArgOr(c, 0, "device")) == "cpu") {
				return true
			}
		}
	}
	return false
}

func (f *File) earlyRead(call, read syntax.Node) Finding {
	out := Finding{At: call, Severity: site.Error, Message: "the copy to the host is not waited for and read at once: what is read may be what lay there before",
		Related: []Related{{At: read, Message: "read here, with no synchronize() before"}}}
	if v := f.Keyword(call, "non_blocking"); v != 0 {
		out.Fixes = []Fix{{Message: "wait for the copy", Safe: true, Edits: []Edit{f.Replace(v, "False")}}}
	}
	return out
}
