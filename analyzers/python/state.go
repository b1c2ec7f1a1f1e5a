package python

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/guarded"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/site"
)

// guards are the functions that the configuration and directives name, by
// their last name. The configuration writes package.check_ids, or
// package.check_ids:1 with the index of the ids.
func guards(named []string, declared []sites.Declaration) map[string][]guarded.Guard {
	out := map[string][]guarded.Guard{}
	for _, g := range named {
		name, index, _ := strings.Cut(g, ":")
		last := name[strings.LastIndexByte(name, '.')+1:]
		out[last] = append(out[last], guarded.Guard{Definition: calls.Definition{Name: name}, IDs: digit(index)})
	}
	for _, d := range declared {
		if d.Guard >= 0 {
			out[d.Name] = append(out[d.Name], guarded.Guard{Definition: d.Definition, IDs: d.Guard})
		}
	}
	return out
}

// digit reads the index of an argument: few functions have ten.
func digit(s string) int {
	if len(s) == 1 && s[0] >= '0' && s[0] <= '9' {
		return int(s[0] - '0')
	}
	return 0
}

// state gives a site its state, with the check that counts and the handlers
// that a fault meets.
func (w *worker) state(src *source, s *sites.Site, out *site.Site) {
	st := w.states.State(s)
	w.judged = append(w.judged, st)
	out.State, out.Why = st.State, st.Why
	if st.Guard != 0 {
		out.Guard = &site.Related{At: src.position(src.file.Start(st.Guard)), Message: st.Text}
	}
	for _, h := range st.Handlers {
		out.Handlers = append(out.Handlers, site.Handling{
			At: src.position(src.file.Start(h.At)), Func: h.Func, Message: h.Message, Lost: h.Lost,
		})
	}
}
