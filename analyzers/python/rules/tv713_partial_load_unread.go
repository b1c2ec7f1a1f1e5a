package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv713: load_state_dict(strict=False) returns the keys that were missing and
// those that were left over. Where nobody looks, a checkpoint whose names do not
// match loads nothing, and the metric is that of random weights.
func tv713() Rule {
	return Rule{
		Code:  "TV713",
		Needs: [][]string{{"load_state_dict"}, {"strict=False", "strict = False"}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("load_state_dict") {
				strict := f.ArgOr(call, 1, "strict")
				if f.IsFalse(strict) && f.Receiver(call) != 0 && f.unread(call) && f.fromFile(f.ArgOr(call, 0, "state_dict")) && !f.partOnPurpose(call) {
					r.Add(f.unreadLoad(call, strict))
				}
			}
		},
	}
}

func (f *File) unreadLoad(call, strict syntax.Node) Finding {
	out := Finding{At: call, Message: "strict=False, and nobody reads which keys were missing: a checkpoint whose names do not match leaves random weights in " + f.Src(f.Receiver(call)) + ", and the run goes on with them"}
	stmt := f.Parent(call)
	if f.Kind(stmt) == syntax.ExprStmt && f.alone(stmt) {
		raise := "if missing.missing_keys:\n" + f.indent(stmt) + "    raise RuntimeError(f\"the checkpoint has no {missing.missing_keys}\")"
		at := f.Start(stmt)
		out.Fixes = []Fix{
			{Message: "raise where keys are missing", Edits: []Edit{{at, at, "missing = "}, f.After(stmt, raise)}},
			{Message: "load strictly", Edits: []Edit{f.Replace(strict, "True")}},
		}
	}
	return out
}

// alone reports whether a statement is the only one of its lines.
func (f *File) alone(stmt syntax.Node) bool {
	text, from, to := f.Text(), f.Start(stmt), f.End(stmt)
	for from > 0 && text[from-1] != '\n' {
		if from--; text[from] != ' ' && text[from] != '\t' {
			return false
		}
	}
	for ; to < len(text) && text[to] != '\n' && text[to] != '#'; to++ {
		if c := text[to]; c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// unread reports whether nobody looks at what a call returns.
func (f *File) unread(call syntax.Node) bool {
	stmt := f.Parent(call)
	switch f.Kind(stmt) {
	case syntax.ExprStmt:
		return true
	case syntax.Assign:
		for target := range f.ChildrenOf(stmt, syntax.RoleTarget) {
			for n := range f.Preorder(target) {
				switch f.Kind(n) {
				case syntax.Tuple, syntax.List:
				case syntax.Name:
					if f.isRead(n) {
						return false
					}
				default:
					return false
				}
			}
		}
		return true
	}
	return false
}

// isRead reports whether something in the same function reads a name.
func (f *File) isRead(target syntax.Node) bool {
	name := string(f.Name(target))
	for n := range f.Preorder(f.Function(target)) {
		if f.Kind(n) == syntax.Name && f.Context(n) == syntax.Load && string(f.Name(n)) == name {
			return true
		}
	}
	return false
}

// maxOrigin bounds how many names are followed to where weights come from.
const maxOrigin = 4

// fromFile reports whether weights come from a file: what a call that loads, or
// averages checkpoints, gives; a part of it, or what a call makes of it. Those
// of another model of the same program, and a dict that is written out, do not.
func (f *File) fromFile(n syntax.Node) bool { return f.loaded(n, maxOrigin) }

func (f *File) loaded(n syntax.Node, left int) bool {
	if left == 0 || n == 0 {
		return false
	}
	switch f.Kind(n) {
	case syntax.Subscript:
		return f.loaded(f.First(n), left)
	case syntax.IfExp:
		return f.loaded(f.Child(n, syntax.RoleBody), left) || f.loaded(f.Child(n, syntax.RoleOrElse), left)
	case syntax.DictComp:
		over := f.Child(f.Child(n, syntax.RoleIterate), syntax.RoleIter)
		return f.loaded(over, left)
	case syntax.Name, syntax.Attribute:
		list, _ := f.Values(n)
		found := false
		for _, v := range list {
			if f.Kind(v) == syntax.Call && f.Last(f.First(v)) == "state_dict" {
				return false // of another model, at least sometimes
			}
			found = found || v != n && f.loaded(v, left-1)
		}
		return found || len(list) == 0 && saysCheckpoint(f.Last(n))
	case syntax.Call:
		name := strings.ToLower(f.Last(f.First(n)))
		switch {
		case name == "state_dict":
			return false
		case name == "items", name == "get", name == "pop", name == "copy":
			return f.loaded(f.Receiver(n), left)
		case strings.Contains(name, "load") || saysCheckpoint(name):
			return true
		}
		return f.loaded(f.Arg(n, 0), left-1)
	}
	return false
}

func saysCheckpoint(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "checkpoint") || strings.Contains(name, "ckpt")
}

// partOnPurpose reports whether what is loaded is a part of the model by
// design, or the keys are looked at by other means in the same function.
func (f *File) partOnPurpose(call syntax.Node) bool {
	if f.explained(call) || f.keysChecked(call) || f.keysCompared(call) {
		return true
	}
	if says(f.FileName, adapted) || says(f.Src(f.First(call)), parts) || says(f.Src(f.ArgOr(call, 0, "state_dict")), parts) {
		return true
	}
	def := f.Function(call)
	if f.Kind(def) == syntax.Module {
		return f.near(call)
	}
	if class := f.Parent(def); f.Kind(class) == syntax.ClassDef && says(f.Src(class), adapted) {
		return true
	}
	return says(string(f.Name(def)), parts) || says(f.Src(def), adapted) || says(f.Src(def), looksAt)
}

// explained reports whether a comment above the statement speaks of strict:
// whoever wrote it knew what is left out.
func (f *File) explained(call syntax.Node) bool {
	stmt := call
	for !f.Kind(stmt).IsStatement() {
		stmt = f.Parent(stmt)
	}
	line, text := f.Line(stmt), f.Text()
	for at := f.Start(stmt); at > 0 && f.Position(at).Line >= line-3; at-- {
		if text[at] == '#' && says(string(text[at:f.Start(stmt)]), []string{"strict", "missing", "partial"}) {
			return true
		}
	}
	return false
}

// keysChecked reports whether the function hands what is loaded to something
// that checks or compares it.
func (f *File) keysChecked(call syntax.Node) bool {
	what := f.Src(f.ArgOr(call, 0, "state_dict"))
	for n := range f.Preorder(f.Function(call)) {
		if f.Kind(n) == syntax.Call && n != call && says(f.Last(f.First(n)), []string{"check", "compare", "verify", "match", "diff"}) && f.namesIn(n, what) && !says(f.Last(f.First(n)), []string{"checkpoint"}) {
			return true
		}
	}
	return false
}

// near is for code outside of functions, notebooks above all: the statements
// around decide, not the whole file.
func (f *File) near(call syntax.Node) bool {
	stmt := call
	for !f.Kind(stmt).IsStatement() {
		stmt = f.Parent(stmt)
	}
	text := f.Src(f.Parent(stmt))
	from := max(0, f.Start(stmt)-f.Start(f.Parent(stmt))-2000)
	to := min(len(text), f.End(stmt)-f.Start(f.Parent(stmt))+2000)
	return from < to && (says(text[from:to], adapted) || says(text[from:to], looksAt))
}

// What tells that a part is loaded on purpose, and that keys are looked at.
var (
	adapted = []string{"lora", "adapter", "peft", "lpips"} // the file of LPIPS holds the weights of its judges alone
	parts   = []string{"lora", "adapter", "peft", "prompt", "partial", "pruned", "trainable", "ema", "delta", "strict", "head", "finetune", "embed", "backbone"}
	looksAt = []string{"missing", "unexpected", "incompatible", "non-strict"}
)

func says(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
