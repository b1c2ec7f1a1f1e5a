package rules

import (
	"regexp"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv205: a trainer is started as a process of its own, and its end or its
// standard error is thrown away: the driver writes of a fault nowhere else.
func tv205() Rule {
	return Rule{
		Code: "TV205", Needs: [][]string{{"subprocess", "os.system"}, {"train", "torchrun", "accelerate", "deepspeed", "tune"}},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"run", "call", "Popen", "system"} {
				for call := range f.CallsOf(name) {
					if f.Is(call, "subprocess."+name, "os.system") && f.startsTrainer(f.ArgOr(call, 0, "args"), 3) {
						f.child(r, call, name)
					}
				}
			}
		},
	}
}

// What starts a trainer: a launcher, or an interpreter with a script or a module
// whose name says so.
var (
	launcherForm    = regexp.MustCompile(`(?i)(^|[^a-z_])(torchrun|deepspeed|accelerate["', ]+launch|torch\.distributed\.(launch|run)|llamafactory-cli["', ]+train)\b`)
	scriptForm      = regexp.MustCompile(`(?i)(^|[^a-z])([a-z]*_)?(pre)?(train|finetune|fine_tune)(er|ing)?(_[a-z0-9_-]*)?\.(py|sh)\b|-m["', ]+[a-z_.]*train`)
	interpreterForm = regexp.MustCompile(`(?i)\b(python[0-9.]*|executable|bash|sh)\b`)
)

// runsTraining reports whether a command has a script that trains; one that
// prepares the data is none.
func runsTraining(text string) bool {
	for _, script := range scriptForm.FindAllString(text, -1) {
		if !strings.Contains(script, "data") {
			return true
		}
	}
	return false
}

// startsTrainer reports whether an argument list starts a trainer, as far as it
// is written here.
func (f *File) startsTrainer(n syntax.Node, left int) bool {
	if n == 0 || left == 0 {
		return false
	}
	if text := f.Src(n); launcherForm.MatchString(text) || interpreterForm.MatchString(text) && runsTraining(text) {
		return true
	}
	for c := range f.Preorder(n) {
		if f.Kind(c) != syntax.Name {
			continue
		}
		for b := range f.Names.Lookup(c, f.Name(c)) {
			if (b.How == names.Assign || b.How == names.Augment) && b.Value != 0 && b.Part == names.Whole && f.startsTrainer(b.Value, left-1) {
				return true
			}
		}
	}
	return false
}

func (f *File) child(r *Report, call syntax.Node, name string) {
	if e := f.Keyword(call, "stderr"); e != 0 && f.Last(e) == "DEVNULL" {
		r.Say(e, "the standard error of this trainer is thrown away: what the driver says of a fault stands nowhere else")
		return
	}
	if f.Unpacks(call) || f.IsTrue(f.Keyword(call, "check")) || f.outcomeUsed(call, name) {
		return
	}
	out := Finding{At: call, Message: "nobody asks how this trainer ended: one that a fault killed counts as one that is done"}
	if name == "run" && f.Keyword(call, "check") == 0 {
		at := f.End(call) - 1
		text := ", check=True"
		if strings.HasSuffix(strings.TrimSpace(string(f.Text()[f.Start(call):at])), ",") {
			text = " check=True"
		}
		out.Fixes = []Fix{{Message: "raise where it fails", Edits: []Edit{{at, at, text}}}}
	}
	r.Add(out)
}

// outcomeUsed reports whether what a call gives is looked at: returned, handed
// on, or a variable whose end is asked for.
func (f *File) outcomeUsed(call syntax.Node, name string) bool {
	n := call
	p := f.Parent(n)
	for f.Kind(p) == syntax.Await {
		n, p = p, f.Parent(p)
	}
	switch f.Kind(p) {
	case syntax.ExprStmt:
		return false
	case syntax.Assign:
		target := f.Child(p, syntax.RoleTarget)
		if f.Kind(target) != syntax.Name {
			return true
		}
		return f.asked(target, p)
	case syntax.Attribute: // subprocess.Popen(...).wait() alone says nothing
		return f.Kind(f.Parent(f.Parent(p))) != syntax.ExprStmt
	}
	return true
}

// asked reports whether a variable is looked at behind its assignment: anything
// but a wait whose answer is dropped.
func (f *File) asked(target, assign syntax.Node) bool {
	for n := range f.Preorder(f.Function(target)) {
		if f.Kind(n) != syntax.Name || f.Start(n) <= f.End(assign) || string(f.Name(n)) != string(f.Name(target)) {
			continue
		}
		attr := f.Parent(n)
		if f.Kind(attr) != syntax.Attribute {
			return true // handed on
		}
		switch string(f.Name(attr)) {
		case "wait", "communicate", "poll":
			if f.Kind(f.Parent(f.Parent(attr))) != syntax.ExprStmt {
				return true
			}
		case "stdout", "stderr", "pid", "stdin", "terminate", "kill", "send_signal":
		default: // returncode, check_returncode
			return true
		}
	}
	return false
}
