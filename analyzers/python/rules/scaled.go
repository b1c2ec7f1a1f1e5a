package rules

import (
	"iter"
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// backward is a call that computes gradients.
type backward struct {
	call   syntax.Node
	scaler syntax.Node // that scaled the loss; 0: none did
	loss   syntax.Node
}

// backwards are those of a file, in the order of the source.
func (f *File) backwards() []backward {
	var out []backward
	for call := range f.CallsOf("backward") {
		b := backward{call: call, loss: f.Receiver(call)}
		if f.Names.Class(call) != 0 && f.Kind(b.loss) == syntax.Call && f.Last(b.loss) == "super" {
			continue
		}
		if a := f.Arg(call, 0); a != 0 && !f.isLossName(b.loss) { // accelerator.backward(loss)
			b.loss = a
		}
		b.scaler = f.scalerOf(b.loss)
		out = append(out, b)
	}
	return out
}

func (f *File) isLossName(n syntax.Node) bool {
	return f.Kind(n) == syntax.Call || f.Kind(n) == syntax.BinOp || listed("loss-name", f.Last(n))
}

// scalerOf is the scaler of scaler.scale(loss), or of a name that is bound to
// it.
func (f *File) scalerOf(loss syntax.Node) syntax.Node {
	if f.Kind(loss) == syntax.Name {
		list, _ := f.Values(loss)
		for _, v := range list {
			if f.Kind(v) == syntax.Call && f.Function(v) == f.Function(loss) {
				if s := f.scalerOf(v); s != 0 {
					return s
				}
			}
		}
		return 0
	}
	if f.Kind(loss) == syntax.Call && f.Last(f.First(loss)) == "scale" {
		if s := f.Receiver(loss); f.isTorchScaler(s) {
			return s
		}
	}
	return 0
}

// scaling are the backwards of a function whose loss is scaled, and those whose
// is not.
func (f *File) scaling(def syntax.Node, all []backward) (scaled []backward, plain []syntax.Node) {
	for _, b := range all {
		switch {
		case f.Function(b.call) != def:
		case b.scaler != 0:
			scaled = append(scaled, b)
		default:
			plain = append(plain, b.call)
		}
	}
	return scaled, plain
}

// onScaler are the calls of a method on a scaler, over the file.
func (f *File) onScaler(method string) iter.Seq2[syntax.Node, syntax.Node] {
	return func(yield func(call, scaler syntax.Node) bool) {
		for call := range f.CallsOf(method) {
			if s := f.Receiver(call); f.isTorchScaler(s) && !yield(call, s) {
				return
			}
		}
	}
}

// ofScaler are the calls of a method on a scaler of this name in a function.
func (f *File) ofScaler(def, scaler syntax.Node, method string) []syntax.Node {
	var out []syntax.Node
	for call := range f.CallsOf(method) {
		if s := f.Receiver(call); s != 0 && f.Function(call) == def && f.Last(s) == f.Last(scaler) {
			out = append(out, call)
		}
	}
	return out
}

// overAll puts the loop in the place of a call that it makes for each of what it
// goes over: a list of optimizers is not empty.
func (f *File) overAll(list []syntax.Node) []syntax.Node {
	out := slices.Clone(list)
	for i, call := range list {
		if loop := loopOver(f.Tree, f.Arg(call, 0)); f.Kind(loop) == syntax.For && f.Function(loop) == f.Function(call) {
			out[i] = loop
		}
	}
	return out
}

// isOff reports whether a scaler is made switched off, everywhere.
func (f *File) isOff(scaler syntax.Node) bool {
	list, sure := f.Values(scaler)
	for _, v := range list {
		if f.Kind(v) != syntax.Call || !f.IsFalse(f.Keyword(v, "enabled")) {
			return false
		}
	}
	return sure
}

// managed: a framework scales, clips and steps in this file's place.
const managed = Accelerate | Lightning | Fabric | DeepSpeed | Apex | Fairseq | SpeechBrain | Engine
