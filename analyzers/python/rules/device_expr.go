package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// deviceOf is the device that an expression is written as: of "cuda:0" and
// torch.device("cuda") it is cuda. Empty: it is not written.
func (f *File) deviceOf(n syntax.Node) string {
	if n == 0 {
		return ""
	}
	if f.Kind(n) == syntax.Call && f.Is(n, "torch.device") {
		return f.deviceOf(f.ArgOr(n, 0, "type"))
	}
	if f.Kind(n) == syntax.JoinedStr {
		text := strings.TrimLeft(f.Src(n), "fFrR\"'")
		device, _, _ := strings.Cut(text, ":")
		return device
	}
	text, ok := f.Str(n)
	if !ok {
		return ""
	}
	device, _, _ := strings.Cut(text, ":")
	return device
}

// asksCuda reports whether a condition asks for CUDA and nothing else of a
// device: torch.cuda.is_available() and not args.no_cuda.
func (f *File) asksCuda(test syntax.Node) bool {
	for n := range f.Preorder(test) {
		if f.Kind(n) == syntax.Call && string(f.Name(f.First(n))) == "is_available" {
			return strings.HasSuffix(f.Path(f.First(n)), "cuda.is_available")
		}
	}
	return false
}

// converts reports whether a file changes the form of a checkpoint and computes
// nothing.
func (f *File) converts() bool {
	return strings.Contains(strings.ToLower(f.FileName), "convert")
}

// picker is a place that chooses a device by what is there.
type picker struct {
	node syntax.Node
	cuda syntax.Node // the value taken with CUDA
	cpu  syntax.Node // the value taken without
}

// cudaPickers are the choices between CUDA and the CPU alone.
func (f *File) cudaPickers(yield func(picker) bool) {
	for n := range f.All(syntax.IfExp) {
		p := picker{n, f.Child(n, syntax.RoleBody), f.Child(n, syntax.RoleOrElse)}
		if f.isCudaPicker(f.Child(n, syntax.RoleTest), p) && !yield(p) {
			return
		}
	}
	for n := range f.All(syntax.If) {
		a, b := f.Child(n, syntax.RoleBody), f.Child(n, syntax.RoleOrElse)
		target, cuda := f.soleAssign(n, a)
		other, cpu := f.soleAssign(n, b)
		if b == 0 {
			cpu, other = f.assignedBefore(n, a), target
		}
		p := picker{n, cuda, cpu}
		if target != "" && target == other && f.Role(n) != syntax.RoleOrElse && f.isCudaPicker(f.Child(n, syntax.RoleTest), p) && !yield(p) {
			return
		}
	}
}

func (f *File) isCudaPicker(test syntax.Node, p picker) bool {
	return f.deviceOf(p.cuda) == "cuda" && f.deviceOf(p.cpu) == "cpu" && f.asksCuda(test)
}

// soleAssign is what the first statement of an arm assigns to one name.
func (f *File) soleAssign(n, stmt syntax.Node) (target string, value syntax.Node) {
	if stmt == 0 || f.Kind(stmt) != syntax.Assign {
		return "", 0
	}
	return chainOf(f.Tree, f.Child(stmt, syntax.RoleTarget)), f.Child(stmt, syntax.RoleValue)
}

// assignedBefore is the CPU that the target of an assignment was given above an
// if that may take CUDA instead.
func (f *File) assignedBefore(n, assign syntax.Node) syntax.Node {
	if assign == 0 || f.Kind(assign) != syntax.Assign {
		return 0
	}
	list, _ := f.Values(f.Child(assign, syntax.RoleTarget))
	for _, v := range list {
		if f.deviceOf(v) == "cpu" && f.Function(v) == f.Function(n) && f.Start(v) < f.Start(n) {
			return v
		}
	}
	return 0
}

// knowsOthers reports whether a file speaks of a backend beside CUDA.
func (f *File) knowsOthers() bool {
	for n := f.Root(); int(n) < f.Len(); n++ {
		switch f.Kind(n) {
		case syntax.Name, syntax.Attribute, syntax.Keyword, syntax.Param, syntax.Alias:
			if speaksOfBackend(f.Name(n)) {
				return true
			}
		case syntax.Constant:
			if text, ok := f.Str(n); ok && speaksOfBackend([]byte(text)) {
				return true
			}
		}
	}
	return false
}

// speaksOfBackend reports whether a name or text holds the name of a backend
// beside CUDA as a word: is_torch_npu_available, but not input.
func speaksOfBackend(text []byte) bool {
	for word := range bytes.FieldsFuncSeq(text, func(c rune) bool { return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') }) {
		if named("other-backend", string(word)) {
			return true
		}
	}
	return bytes.Contains(text, []byte("current_accelerator"))
}

// mpsReachable reports whether the code of a file itself names mps as a device
// that may be taken: a text "mps", torch.backends.mps.
func (f *File) mpsReachable() bool {
	for _, w := range [...]string{`"mps"`, `'mps'`, "mps.is_available", "mps.is_built", `"mps:0"`, `'mps:0'`} {
		if bytes.Contains(f.Text(), []byte(w)) {
			return true
		}
	}
	return false
}

// needsCuda reports whether nothing of a file runs off CUDA: by what it imports,
// or the backend that its processes talk over.
func (f *File) needsCuda() bool {
	list := evaluationNames().List("cuda-module")
	is := func(module []byte) bool {
		head, _, _ := strings.Cut(string(module), ".")
		return list.Has(strings.ToLower(head)) || list.Has(strings.ToLower(string(module)))
	}
	for n := range f.All(syntax.Import) {
		for a := range f.ChildrenOf(n, syntax.RoleName) {
			if is(f.Name(a)) {
				return true
			}
		}
	}
	for n := range f.All(syntax.ImportFrom) {
		if m := f.Child(n, syntax.RoleModule); m != 0 && is(f.Name(m)) {
			return true
		}
	}
	return bytes.Contains(f.Text(), []byte(`"nccl"`)) || bytes.Contains(f.Text(), []byte(`'nccl'`))
}
