package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv414: each rank of FSDP holds a part of the gradients. torch's function
// takes the norm of that part, so that every rank clips by another factor.
func tv414() Rule {
	return Rule{
		Code:  "TV414",
		Needs: [][]string{{"FullyShardedDataParallel", "FSDP"}, {"clip_grad_norm_("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			for clip := range f.CallsOf("clip_grad_norm_") {
				params := f.Arg(clip, 0)
				if o := f.Receiver(clip); o != 0 && f.Last(o) != "utils" && f.Last(o) != "nn" && f.Last(o) != "clip_grad" {
					continue
				}
				if f.Kind(params) != syntax.Call || f.Last(f.First(params)) != "parameters" {
					continue
				}
				if w := f.shardedBy(f.Receiver(params), clip); w != 0 && !f.asksForOwnClip(clip) {
					r.Add(f.clipsShards(clip, params, w))
				}
			}
		},
	}
}

// asksForOwnClip reports whether a clip is only what is left where the model has
// no clip_grad_norm_ of its own: FSDP's has one, and this is not reached.
func (f *File) asksForOwnClip(clip syntax.Node) bool {
	for n := range f.Ancestors(clip) {
		switch k := f.Kind(n); {
		case k == syntax.If && f.says(f.Child(n, syntax.RoleTest), "clip_grad_norm_", "clip_fn"):
			return true
		case k == syntax.ExceptHandler:
			return true
		case k.IsFunction():
			return false
		}
	}
	return false
}

// shardedBy is where a model is wrapped in FSDP's first form; 0: it is not, or
// on some branch only.
func (f *File) shardedBy(model, clip syntax.Node) syntax.Node {
	list, _ := f.Values(model)
	for _, v := range list {
		if f.Kind(v) != syntax.Call || f.Keyword(v, "sharding_strategy") != 0 && f.Last(f.Keyword(v, "sharding_strategy")) == "NO_SHARD" {
			continue
		}
		name := f.Last(f.First(v))
		if name != "FSDP" && name != "FullyShardedDataParallel" {
			continue
		}
		if f.Function(v) == f.Function(clip) && !f.leads(f.statement(v), clip, nil, nil) {
			continue
		}
		return v
	}
	return 0
}

func (f *File) clipsShards(clip, params, w syntax.Node) Finding {
	out := Finding{
		At:      clip,
		Message: "this takes the norm of one rank's part of the gradients: every rank of an FSDP model clips by another factor, and the norm that is printed is too small",
		Related: []Related{{At: w, Message: "sharded here"}},
	}
	model := f.Src(f.Receiver(params))
	out.Fixes = []Fix{{Message: "let the model clip", Edits: []Edit{
		f.Replace(f.First(clip), model+".clip_grad_norm_"),
		{f.Start(params), f.afterArg(clip, params), ""},
	}}}
	return out
}

// afterArg is where the argument behind one begins, or the call ends.
func (f *File) afterArg(call, arg syntax.Node) int {
	if next := f.Next(arg); next != 0 {
		return f.Start(next)
	}
	return f.End(call) - 1
}
