package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv714: a run goes on at the epoch of a checkpoint with the model of it, and
// with an optimizer, a scheduler or a scaler that begins anew.
func tv714() Rule {
	return Rule{
		Code:  "TV714",
		Needs: [][]string{{"load_state_dict"}, {"optim", "Optim"}, {"backward"}},
		Check: func(f *File, r *Report) {
			if f.Uses(Accelerate | Lightning | Fabric | Transformers | DeepSpeed | Engine | Fairseq | SpeechBrain) {
				return
			}
			done := map[syntax.Node]bool{}
			for call := range f.CallsOf("load_state_dict") {
				if def := f.Function(call); !done[def] && f.loadsModel(call) {
					if f.resumes(r, call) {
						done[def] = true
					}
				}
			}
		},
	}
}

// loadsModel reports whether a call loads weights: not the state of what else a
// trainer has.
func (f *File) loadsModel(call syntax.Node) bool {
	name := f.Src(f.Receiver(call))
	return f.Receiver(call) != 0 && !says(name, []string{"optim", "opt", "sched", "scaler", "ema", "loss", "criterion", "sampler", "loader", "teacher", "amp", "metric"})
}

// resumes reports what a resume leaves behind, and whether it is one.
func (f *File) resumes(r *Report, call syntax.Node) bool {
	ckpt := f.checkpoint(f.ArgOr(call, 0, "state_dict"))
	if ckpt == 0 {
		return false
	}
	counter := f.counter(call, ckpt)
	if counter == 0 {
		return false
	}
	kept := f.restored()
	var lost []string
	if f.stepsOf([]string{"optim", "opt"}, []string{"sched"}) && !kept("opt") && !f.stateless() {
		lost = append(lost, "the optimizer")
	}
	if f.stepsOf([]string{"sched"}, nil) && !kept("sched") && !f.movesScheduler() {
		lost = append(lost, "the scheduler")
	}
	if f.stepsOf([]string{"scaler"}, nil) && !kept("scaler") && !kept("amp") {
		lost = append(lost, "the scaler")
	}
	if len(lost) == 0 {
		return true
	}
	what := strings.Join(lost, " and ")
	r.Add(Finding{
		At:      call,
		Message: "the run goes on where the checkpoint was made, with its weights but not the state of " + what + ", which this file never loads: " + consequenceOf(lost[0]),
		Related: []Related{{At: counter, Message: "goes on from here"}},
	})
	return true
}

// stateless reports whether the file's optimizer has no state to lose: SGD
// without momentum.
func (f *File) stateless() bool {
	found := false
	for call := range f.CallsOf("SGD") {
		if m := f.ArgOr(call, 2, "momentum"); m != 0 && f.Src(m) != "0" || f.Unpacks(call) {
			return false
		}
		found = true
	}
	return found
}

func consequenceOf(lost string) string {
	switch lost {
	case "the optimizer":
		return "its moments begin at zero, and the numbers behind the resume are those of another run"
	case "the scheduler":
		return "the learning rate begins anew"
	}
	return "the scale begins anew, and the first steps may be skipped"
}

// checkpoint is the name that a part is taken from: of ckpt["model"] the name
// ckpt, if a file was loaded into it.
func (f *File) checkpoint(n syntax.Node) syntax.Node {
	for f.Kind(n) == syntax.Subscript || f.Kind(n) == syntax.Call && f.Receiver(n) != 0 && f.Last(f.First(n)) == "get" {
		if f.Kind(n) == syntax.Call {
			n = f.Receiver(n)
		} else {
			n = f.First(n)
		}
	}
	if f.Kind(n) != syntax.Name {
		return 0
	}
	list, _ := f.Values(n)
	for _, v := range list {
		if f.Kind(v) == syntax.Call && f.Is(v, "torch.load") {
			return n
		}
		if root := f.Kind(v) == syntax.Subscript; root && v != n {
			if c := f.checkpoint(v); c != 0 {
				return c
			}
		}
	}
	return 0
}

// counter is where the epoch or step of a checkpoint becomes that of the run.
func (f *File) counter(call, ckpt syntax.Node) syntax.Node {
	for n := range f.Within(f.Function(call)) {
		if k := f.Kind(n); k != syntax.Assign {
			continue
		}
		target := strings.ToLower(f.Src(f.Child(n, syntax.RoleTarget)))
		if !says(target, []string{"start", "epoch", "step", "iter"}) || says(target, []string{"best", "print", "msg"}) {
			continue
		}
		for c := range f.Preorder(f.Child(n, syntax.RoleValue)) {
			key := syntax.Node(0)
			switch {
			case f.Kind(c) == syntax.Subscript && f.Same(f.First(c), ckpt):
				key = f.Child(c, syntax.RoleSlice)
			case f.Kind(c) == syntax.Call && f.Last(f.First(c)) == "get" && f.Same(f.Receiver(c), ckpt):
				key = f.Arg(c, 0)
			}
			if text, ok := f.Str(key); ok && says(text, []string{"epoch", "step", "iter"}) {
				return n
			}
		}
	}
	return 0
}

// restored tells of which objects, by a part of their name, some call of the
// file loads a state.
func (f *File) restored() func(part string) bool {
	var names []string
	for call := range f.CallsOf("load_state_dict") {
		names = append(names, strings.ToLower(f.Src(f.Receiver(call))+" "+f.Src(f.ArgOr(call, 0, "state_dict"))))
	}
	return func(part string) bool {
		for _, n := range names {
			if strings.Contains(n, part) {
				return true
			}
		}
		return false
	}
}

// stepsOf reports whether the file steps an object with such a name.
func (f *File) stepsOf(parts, not []string) bool {
	for call := range f.CallsOf("step") {
		name := f.Last(f.Receiver(call))
		if name != "" && says(name, parts) && !says(name, not) {
			return true
		}
		if parts[0] == "optim" && says(name, []string{"scaler"}) && f.Arg(call, 0) != 0 {
			return true
		}
	}
	return false
}

// movesScheduler reports whether the scheduler learns of the epoch by other
// means: it is made with last_epoch, stepped with a number, or moved by hand; or
// it is a class of their own, which may read the step of the optimizer.
func (f *File) movesScheduler() bool {
	for stmt := range f.All(syntax.Assign) {
		made := f.Child(stmt, syntax.RoleValue)
		if f.Kind(made) != syntax.Call || !says(f.Last(f.Child(stmt, syntax.RoleTarget)), []string{"sched"}) {
			continue
		}
		if path := f.Path(f.First(made)); !says(path, []string{"torch.", "lr_scheduler", "get_", "transformers."}) {
			return true
		}
	}
	for call := range f.CallsOf("step") {
		if says(f.Last(f.Receiver(call)), []string{"sched"}) && (f.Arg(call, 0) != 0 || f.Keyword(call, "epoch") != 0) {
			return true
		}
	}
	return strings.Contains(string(f.Text()), "last_epoch") || strings.Contains(string(f.Text()), "last_step")
}
