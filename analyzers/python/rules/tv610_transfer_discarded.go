package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv610: a tensor is not moved in place; what to() gives back is thrown away.
func tv610() Rule {
	return Rule{
		Code:  "TV610",
		Needs: [][]string{{"import torch", "from torch"}, {".to(", ".cuda()", ".cpu()", ".half()", ".float()", ".double()", ".bfloat16()", ".detach()"}},
		Quick: func(text []byte) bool {
			return callStatement(text, ".to(", ".cuda()", ".cpu()", ".half()", ".float()", ".double()", ".bfloat16()", ".detach()")
		},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"to", "cuda", "cpu", "half", "float", "double", "bfloat16", "detach"} {
				for call := range f.CallsOf(name) {
					if p := f.Parent(call); f.Kind(p) != syntax.ExprStmt {
						continue
					}
					object := f.Receiver(call)
					if why := f.tensorHere(object); why != 0 {
						r.Add(f.discarded(call, object, name, why))
					}
				}
			}
		},
	}
}

// callStatement reports whether a line may begin with a call of one of these
// methods, on a name or an attribute: nothing is assigned there.
func callStatement(text []byte, methods ...string) bool {
	for _, m := range methods {
		for i := 0; ; {
			j := bytes.Index(text[i:], []byte(m))
			if j < 0 {
				break
			}
			at := i + j
			i = at + len(m)
			start := at
			for start > 0 && isChain(text[start-1]) {
				start--
			}
			for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
				start--
			}
			if start != 0 && text[start-1] != '\n' && text[start-1] != ';' && text[start-1] != ':' {
				continue
			}
			if named := bytes.TrimLeft(text[start:at], " \t"); mayBeTensor(text, named) {
				return true
			}
		}
	}
	return false
}

// mayBeTensor reports whether a text gives a name something of torch, or says
// that it is a tensor.
func mayBeTensor(text, name []byte) bool {
	if len(name) == 0 {
		return false // a call of what a call gives
	}
	if bytes.Contains(text, []byte("from torch import")) {
		return true
	}
	for i := 0; ; {
		j := bytes.Index(text[i:], name)
		if j < 0 {
			return false
		}
		i += j + len(name)
		rest := text[i:min(len(text), i+40)]
		if k := bytes.IndexByte(rest, '='); k >= 0 && len(bytes.TrimSpace(rest[:k])) == 0 && bytes.Contains(rest[k:], []byte("torch")) || bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte(":")) && bytes.Contains(rest, []byte("Tensor")) {
			return true
		}
	}
}

// isChain reports whether a byte can stand in a chain of names.
func isChain(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func (f *File) discarded(call, object syntax.Node, name string, why syntax.Node) Finding {
	what := "moved nor cast"
	if name == "detach" {
		what = "detached"
	}
	out := Finding{At: call, Message: f.Src(object) + " is not " + what + ": " + name + "() of a tensor gives a new one, which nothing takes",
		Related: []Related{{At: why, Message: "it is a tensor by this"}}}
	if what != "detached" {
		out.Message = f.Src(object) + " is neither " + what + ": " + name + "() of a tensor gives a new one, which nothing takes"
	}
	at := f.Start(call)
	out.Fixes = []Fix{{Message: "keep what it gives", Edits: []Edit{{at, at, f.Src(object) + " = "}}}}
	return out
}

// tensorHere is what shows that a name is a tensor wherever it is used; 0: it
// may be a module or a batch, which move in place.
func (f *File) tensorHere(n syntax.Node) (why syntax.Node) {
	if k := f.Kind(n); k != syntax.Name && (k != syntax.Attribute || !f.Names.IsSelf(f.First(n))) {
		return 0
	}
	if f.Kind(n) == syntax.Attribute {
		list, sure := f.Values(n)
		for _, v := range list {
			if !f.makesTensor(v) {
				return 0
			}
			why = v
		}
		if !sure {
			return 0
		}
		return why
	}
	for b := range f.Names.Lookup(n, f.Name(n)) {
		switch b.How {
		case names.Assign:
			switch {
			case b.Part == names.Whole && f.makesTensor(b.Value):
				why = b.Value
			case b.Part != names.Whole || !f.ofItself(n, b.Value):
				return 0
			}
		case names.Annotation:
			if !f.Is(b.Value, "torch.Tensor", "torch.LongTensor", "torch.FloatTensor", "Tensor") {
				return 0
			}
			why = b.Value
		case names.Param, names.Augment:
		default:
			return 0
		}
	}
	return why
}

// ofItself reports whether a value is made of the name by methods: x = x.to(d).
func (f *File) ofItself(name, value syntax.Node) bool {
	for f.Kind(value) == syntax.Call && f.Receiver(value) != 0 {
		value = f.Receiver(value)
	}
	return f.Same(name, value)
}

// makesTensor reports whether an expression is a tensor for sure.
func (f *File) makesTensor(n syntax.Node) bool {
	switch f.Kind(n) {
	case syntax.Call:
		path := f.Path(f.First(n))
		if rest, ok := strings.CutPrefix(path, "torch."); ok {
			return named("tensor-maker", rest)
		}
		if o := f.Receiver(n); o != 0 && f.Kind(f.First(n)) == syntax.Attribute {
			return named("tensor-method", string(f.Name(f.First(n)))) && f.makesTensor(o)
		}
	case syntax.Subscript:
		return f.makesTensor(f.First(n))
	case syntax.BinOp:
		return f.makesTensor(f.First(n))
	}
	return false
}
