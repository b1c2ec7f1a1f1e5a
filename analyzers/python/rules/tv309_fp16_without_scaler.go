package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv309: small gradients are zero in float16. Without a scaler they are lost,
// the loss goes down a while and then stays.
func tv309() Rule {
	return Rule{
		Code:  "TV309",
		Needs: [][]string{{"autocast("}, {"backward("}, {".step("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed|Transformers) || f.speaksOfScaler() {
				return
			}
			for cast := range f.CallsOf("autocast") {
				with := f.statement(cast)
				if k := f.Kind(with); k != syntax.With && k != syntax.AsyncWith || !f.castsToHalf(cast) || withoutGradients(f.Tree, with) {
					continue
				}
				if b := f.trainsUnder(with); b != 0 {
					r.Add(f.unscaledHalf(cast, b))
				}
			}
		},
	}
}

// speaksOfScaler reports whether the file says anything of one: somebody else
// may scale.
func (f *File) speaksOfScaler() bool {
	return strings.Contains(strings.ToLower(string(f.Text())), "scaler")
}

// castsToHalf reports whether autocast is to float16 on a device that has it:
// it says so, or it is the one of CUDA, whose default it is.
func (f *File) castsToHalf(cast syntax.Node) bool {
	if f.Unpacks(cast) || f.IsFalse(f.Keyword(cast, "enabled")) {
		return false
	}
	cuda := f.Is(cast, "torch.cuda.amp.autocast", "torch.cuda.amp.autocast_mode.autocast")
	device := f.ArgOr(cast, 0, "device_type")
	if name, ok := f.Str(device); !cuda && ok {
		cuda = name == "cuda"
		if name == "cpu" || name == "xpu" || name == "hpu" {
			return false
		}
	}
	dtype := f.Keyword(cast, "dtype")
	if dtype == 0 && !f.Is(cast, "torch.cuda.amp.autocast", "torch.cuda.amp.autocast_mode.autocast") {
		dtype = f.Arg(cast, 1)
	}
	if dtype != 0 {
		return f.isHalf(dtype, "torch.float16", "torch.half")
	}
	return cuda
}

// trainsUnder is a backward of a loss that is computed within a with, whose
// gradients an optimizer of the same function steps on.
func (f *File) trainsUnder(with syntax.Node) syntax.Node {
	def := f.Function(with)
	for call := range f.CallsOf("backward") {
		loss := f.Receiver(call)
		if f.Function(call) != def || loss == 0 || f.Kind(loss) == syntax.Call || !f.Holds(with, call) && !f.assignedIn(with, loss) {
			continue
		}
		for step := range f.optimizerSteps {
			if f.Function(step) == def && f.leads(call, step, nil, nil) && f.leads(with, call, nil, nil) {
				return call
			}
		}
	}
	return 0
}

// assignedIn reports whether a name, or what it is made of, is assigned within
// a statement.
func (f *File) assignedIn(with, loss syntax.Node) bool { return f.assignedWithin(with, loss, 3) }

func (f *File) assignedWithin(with, n syntax.Node, hops int) bool {
	for c := range f.Within(n) {
		if f.Kind(c) != syntax.Name {
			continue
		}
		for b := range f.Names.Lookup(c, f.Name(c)) {
			if f.Holds(with, b.Target) {
				return true
			}
			if hops > 0 && b.How == names.Assign && f.Function(b.Target) == f.Function(with) && !f.Holds(b.Value, c) && f.assignedWithin(with, b.Value, hops-1) {
				return true
			}
		}
	}
	return false
}

func (f *File) unscaledHalf(cast, back syntax.Node) Finding {
	out := Finding{
		At:      cast,
		Message: "the loss is computed in float16 and its gradients are not scaled: small ones become zero and are lost",
		Related: []Related{{At: back, Message: "the gradients are computed here"}},
	}
	if f.castType(cast) == 0 || f.Keyword(cast, "dtype") != 0 {
		edit := Edit{f.End(cast) - 1, f.End(cast) - 1, ", dtype=torch.bfloat16"}
		if f.Next(f.First(cast)) == 0 {
			edit.New = edit.New[2:]
		}
		if d := f.Keyword(cast, "dtype"); d != 0 {
			edit = f.Replace(d, "torch.bfloat16")
		}
		out.Fixes = []Fix{{Message: "cast to bfloat16, which needs no scaler", Edits: []Edit{edit}}}
	}
	return out
}
