package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv503: evaluation leaves the model in evaluation mode, and the loop around it
// goes on to train it so.
func tv503() Rule {
	return Rule{
		Code:  "TV503",
		Needs: [][]string{{".eval(", ".train(", "evaluat", "valid"}, {"backward(", "train_epoch(", "train_one_epoch(", "train_step(", ".train_"}},
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning) {
				return // its loop sets the mode of every model before each phase
			}
			m := newModeFlow(f)
			told := map[syntax.Node]bool{}
			for _, def := range f.loopingFunctions() {
				u := m.unit(calls.Func{File: f.View, Def: def})
				if !m.trainsInLoop(u) || !m.switchesOff(u, modeDepth) {
					continue
				}
				list := m.leaks(u)
				slices.SortFunc(list, func(a, b modeLeak) int { return cmp.Compare(a.off.node, b.off.node) })
				for _, l := range list {
					if !told[l.off.node] {
						told[l.off.node] = true
						r.Add(f.leftInEval(r, l))
					}
				}
			}
		},
	}
}

// loopingFunctions are the functions that have a loop of their own, and the
// module if it has.
func (f *File) loopingFunctions() []syntax.Node {
	var out []syntax.Node
	for _, k := range []syntax.Kind{syntax.For, syntax.While} {
		for loop := range f.All(k) {
			if def := f.Function(loop); !slices.Contains(out, def) {
				out = append(out, def)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (f *File) leftInEval(r *Report, l modeLeak) Finding {
	key := strings.TrimSuffix(l.key, "[]")
	out := Finding{At: l.off.node, Message: "from here " + key + " is in evaluation mode, and the loop goes on to train it so: dropout is off, batch statistics stand still, and the number that comes out is that of another training"}
	if l.off.inner != l.off.node {
		out.Related = append(out.Related, f.modeRelated(l.off, "eval() is called here, and nothing behind it switches back"))
	}
	out.Related = append(out.Related, f.modeRelated(l.backward, "gradients are computed here with the model in evaluation mode"))
	if l.on != 0 {
		out.Related = append(out.Related, Related{At: l.on, Message: "training mode is switched on here, which the loop does not come back to in time"})
	}
	switch {
	case strings.Contains(l.key, "["):
	case l.loop != 0 && f.Start(l.off.node) < f.Start(l.backward.node): // within one turn: what belongs between is not known
	case l.loop == 0:
		out.Fixes = []Fix{{Message: "switch training mode back on", Edits: []Edit{f.After(l.off.node, l.key+".train()")}}}
	default:
		out.Fixes = []Fix{{Message: "switch training mode on at the head of the loop", Edits: []Edit{f.Before(f.Child(l.loop, syntax.RoleBody), l.key+".train()")}}}
	}
	return out
}

// modeRelated is the inner end of an event, in this file or another one.
func (f *File) modeRelated(e modeEvent, message string) Related {
	if e.file == nil || e.file.Name == f.FileName {
		return Related{At: e.inner, Message: message}
	}
	p := e.file.Syntax.Position(e.file.Syntax.Start(e.inner))
	return Related{Message: message, There: site.Position{File: e.file.Name, Line: p.Line, Column: p.Column + 1}}
}
