package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// pickerNote is a place that chooses a device, and what it can come out as.
type pickerNote struct {
	at       site.Position
	backends string
}

// tv612: one tree chooses its device in several places, which do not agree.
func tv612() Rule {
	return Rule{
		Code:  "TV612",
		Needs: [][]string{{".is_available()", "current_accelerator"}},
		Check: func(f *File, r *Report) {
			seen := map[syntax.Node]bool{}
			for _, name := range []string{"is_available", "current_accelerator"} {
				for call := range f.CallsOf(name) {
					top := f.pickerAround(call)
					if top == 0 || seen[top] {
						continue
					}
					seen[top] = true
					if b := f.backends(top); strings.Contains(b, ",") || b == "any" {
						r.Note(pickerNote{r.Place(top), b})
					}
				}
			}
		},
		Finish: func(notes []Note, j *Joined) {
			kinds := map[string]int{}
			for _, n := range notes {
				kinds[n.Value.(pickerNote).backends]++
			}
			if len(kinds) < 2 {
				return
			}
			for _, n := range notes {
				p := n.Value.(pickerNote)
				j.Add(site.Finding{Severity: site.Info, At: p.at, Message: fmt.Sprintf("this place chooses among %s; %d of the %d places of the tree that choose a device choose among others, so parts of one run may be on different devices", p.backends, len(notes)-kinds[p.backends], len(notes))})
			}
		},
	}
}

// pickerAround is the outermost choice that a question for a backend decides:
// an if or a conditional expression whose arms name devices; 0: none.
func (f *File) pickerAround(call syntax.Node) (top syntax.Node) {
	for n, p := call, f.Parent(call); p != 0; n, p = p, f.Parent(p) {
		k := f.Kind(p)
		if k.IsFunction() || k == syntax.ClassDef {
			break
		}
		if k == syntax.IfExp || k == syntax.If && (f.Role(n) == syntax.RoleTest || f.Role(n) == syntax.RoleOrElse && top != 0) {
			top = p
		}
	}
	if top == 0 && string(f.Name(f.First(call))) == "current_accelerator" {
		return call
	}
	return top
}

// backends are the devices that the arms of a choice give, sorted.
func (f *File) backends(top syntax.Node) string {
	if f.Kind(top) == syntax.Call {
		return "any"
	}
	var out []string
	for n := range f.Preorder(top) {
		d := ""
		switch f.Kind(n) {
		case syntax.Constant:
			if p := f.Parent(n); f.Kind(p) == syntax.Call && !f.Is(p, "torch.device") || f.Kind(p) == syntax.Compare || f.Kind(p) == syntax.Subscript {
				continue
			}
			d = f.deviceOf(n)
		case syntax.JoinedStr:
			d = f.deviceOf(n)
		}
		if (d == "cpu" || d == "cuda" || named("other-backend", d)) && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
