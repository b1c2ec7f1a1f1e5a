package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv610: a tensor is not moved in place; what to() gives back is thrown away.
func tv610() Rule {
	return Rule{
		Code:  "TV610",
		Needs: [][]string{{"import torch", "from torch"}, transfers},
		Quick: transferStatement, Searched: transfers,
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
