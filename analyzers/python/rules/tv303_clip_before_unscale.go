package rules

import (
	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv303: gradients that are clipped while they are scaled are clipped at the
// limit divided by the scale: at 65536 next to nothing is left of them.
func tv303() Rule {
	return Rule{
		Code:  "TV303",
		Needs: [][]string{{".scale("}, {"clip_grad"}, {"backward("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			all := f.backwards()
			for name := range catalog.Python().List("clip-function").Exact() {
				for clip := range f.CallsOf(name) {
					if f.clipsGradients(clip) && !f.scaledClip(r, clip, clip, all) {
						f.clipOfItsOwn(r, clip, all)
					}
				}
			}
		},
	}
}

// clipsGradients knows torch's functions and the method of FSDP's model; other
// objects' methods may unscale first, as accelerate's does.
func (f *File) clipsGradients(clip syntax.Node) bool {
	object := f.Receiver(clip)
	if object == 0 {
		return f.calleeOf(clip) == 0
	}
	switch f.Last(object) {
	case "utils", "nn", "clip_grad", "model":
		return true
	}
	return false
}

func (f *File) calleeOf(call syntax.Node) syntax.Node {
	def, _ := f.Calls.Callee(call)
	return def
}

// clipOfItsOwn looks at a function that does nothing but clip, where it is
// called.
func (f *File) clipOfItsOwn(r *Report, clip syntax.Node, all []backward) {
	def := f.Function(clip)
	if def == f.Root() || len(f.calls(def, "unscale_"))+len(f.calls(def, "step"))+len(f.calls(def, "backward")) > 0 {
		return
	}
	for _, at := range f.Calls.Callers(def) {
		if f.Kind(at) == syntax.Call && f.scaledClip(r, clip, at, all) {
			return
		}
	}
}

// scaledClip looks at a clip, which is reached at a place of some function. It
// reports whether something was said.
func (f *File) scaledClip(r *Report, clip, at syntax.Node, all []backward) bool {
	def := f.Function(at)
	scaled, plain := f.scaling(def, all)
	for _, b := range scaled {
		if f.isOff(b.scaler) {
			continue
		}
		known := []syntax.Node{b.scaler}
		unscales := f.ofScaler(def, b.scaler, "unscale_")
		steps := f.ofScaler(def, b.scaler, "step")
		past := append(append(plain, f.overAll(f.calls(def, "unscale_"))...), steps...) // of another scaler too: the clip is of its gradients
		past = append(append(past, f.takes(def, b.scaler)...), f.ownCalls(def, "unscale_")...)
		past = append(past, f.clears(def)...)
		if f.leads(b.call, at, past, known) && (at == clip || f.leadsToAny(at, steps, known)) {
			out := f.clipsScaled(clip, b, unscales, steps)
			if at != clip {
				out.Related = append(out.Related, Related{At: at, Message: "called here"})
				out.Fixes = nil
			}
			r.Add(out)
			return true
		}
	}
	return at == clip && len(scaled) == 0 && len(plain) == 0 && f.scaledElsewhere(r, clip, all)
}

// leadsToAny reports whether a path leads from a node to one of others.
func (f *File) leadsToAny(from syntax.Node, to, known []syntax.Node) bool {
	for _, n := range to {
		if f.leads(from, n, nil, known) {
			return true
		}
	}
	return false
}

// scaledElsewhere looks at a method that clips and steps what another method of its
// class scaled: nothing of the class unscales.
func (f *File) scaledElsewhere(r *Report, clip syntax.Node, all []backward) bool {
	def, class := f.Function(clip), f.Names.Class(clip)
	if class == 0 {
		return false
	}
	for u := range f.CallsOf("unscale_") {
		if c := f.Names.Class(u); c == class || c == 0 {
			return false
		}
	}
	for _, b := range all {
		if b.scaler == 0 || f.Names.Class(b.call) != class || f.isOff(b.scaler) {
			continue
		}
		for _, step := range f.ofScaler(def, b.scaler, "step") {
			if f.leads(clip, step, nil, []syntax.Node{b.scaler}) && len(f.takes(f.Function(b.call), b.scaler)) == 0 {
				r.Add(f.clipsScaled(clip, b, nil, []syntax.Node{step}))
				return true
			}
		}
	}
	return false
}

func (f *File) clipsScaled(clip syntax.Node, b backward, unscales, steps []syntax.Node) Finding {
	out := Finding{
		At:      clip,
		Message: "the gradients are clipped while they are still scaled: the limit is divided by the scale, and the norm that is returned is multiplied by it",
		Related: []Related{{At: b.call, Message: "the loss is scaled here"}},
	}
	if len(steps) == 1 && len(unscales) == 0 && f.Arg(steps[0], 0) != 0 {
		out.Fixes = []Fix{{Message: "unscale before the clip", Safe: true, Edits: []Edit{
			f.Before(clip, f.Src(b.scaler)+".unscale_("+f.Src(f.Arg(steps[0], 0))+")"),
		}}}
	}
	return out
}
