package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv608: torch.cuda.amp and torch.cpu.amp are going, and say so once a run.
func tv608() Rule {
	return Rule{
		Code:  "TV608",
		Needs: [][]string{{"cuda.amp", "cpu.amp"}},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"autocast", "GradScaler"} {
				for call := range f.CallsOf(name) {
					device := oldAmp(f.Path(f.First(call)), name)
					if device == "" || f.inTry(call) {
						continue
					}
					r.Add(Finding{At: call, Message: "torch." + device + ".amp." + name + " is deprecated: it goes with a release of torch, and what it says on each call hides other warnings", Fixes: f.newAmp(call, device, name)})
				}
			}
		},
	}
}

func oldAmp(path, name string) string {
	device, ok := strings.CutPrefix(path, "torch.")
	if !ok {
		return ""
	}
	switch device {
	case "cuda.amp." + name, "cuda.amp.autocast_mode." + name, "cuda.amp.grad_scaler." + name:
		return "cuda"
	case "cpu.amp." + name, "cpu.amp.autocast_mode." + name:
		return "cpu"
	}
	return ""
}

// inTry reports whether a call stands in a try: it has another way where the
// name is gone.
func (f *File) inTry(n syntax.Node) bool {
	for p := range f.Ancestors(n) {
		if k := f.Kind(p); k == syntax.Try {
			return true
		} else if k.IsFunction() {
			return false
		}
	}
	return false
}

// newAmp writes a call by the name that stays, where the old one is written out.
func (f *File) newAmp(call syntax.Node, device, name string) []Fix {
	fun := f.First(call)
	if chainOf(f.Tree, fun) != "torch."+device+".amp."+name {
		return nil
	}
	text := "torch.amp." + name + "(\"" + device + "\""
	open := f.End(fun)
	for open < f.End(call) && f.Text()[open] != '(' {
		open++
	}
	if f.Next(fun) != 0 {
		text += ", "
	}
	return []Fix{{Message: "use torch.amp." + name, Safe: true, Edits: []Edit{{f.Start(fun), open + 1, text}}}}
}
