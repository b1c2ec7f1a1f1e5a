package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv311: a run that is resumed without the state of its scaler starts at the
// first scale again and skips steps that the unbroken run did not.
func tv311() Rule {
	return Rule{
		Code:  "TV311",
		Needs: [][]string{{"scaler", "Scaler"}, {"state_dict("}, {".step("}, {".scale("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) || f.savesScaler() || !f.ownsScaler() {
				return
			}
			for call := range f.CallsOf("state_dict") {
				o := f.Receiver(call)
				if o == 0 || !f.isOptimizer(o) || !f.isSaved(call) {
					continue
				}
				r.Say(call, "the optimizer is saved and the gradient scaler is not: a resumed run starts at the first scale and skips steps again")
				return
			}
		},
	}
}

// ownsScaler reports whether the file makes a scaler that may be on.
func (f *File) ownsScaler() bool {
	for _, s := range f.onScaler("step") {
		if f.bound(s, "scaler-class") && !f.isOff(s) {
			return true
		}
	}
	return false
}

// savesScaler reports whether the state of a scaler is saved or loaded, or the
// scaler handed to something that may.
func (f *File) savesScaler() bool {
	for _, name := range []string{"state_dict", "load_state_dict"} {
		for range f.onScaler(name) {
			return true
		}
	}
	for n := range f.All(syntax.Dict) { // {"scaler": scaler}
		for c := range f.ChildrenOf(n, syntax.RoleValue) {
			if f.isScaler(c) {
				return true
			}
		}
	}
	for _, name := range []string{"save_model", "save_checkpoint", "load_model", "load_checkpoint", "save_state", "auto_load_model", "resume", "save"} {
		for call := range f.CallsOf(name) {
			for n := range f.Within(call) {
				if strings.Contains(strings.ToLower(string(f.Name(n))), "scaler") {
					return true
				}
			}
		}
	}
	return false
}

// isSaved reports whether a state goes into a dict or a call of save.
func (f *File) isSaved(call syntax.Node) bool {
	for p := f.Parent(call); p != 0 && !f.Kind(p).IsFunction(); p = f.Parent(p) {
		switch f.Kind(p) {
		case syntax.Dict:
			return true
		case syntax.Call:
			if f.Last(f.First(p)) == "save" || f.Last(f.First(p)) == "dict" {
				return true
			}
		}
	}
	return false
}
