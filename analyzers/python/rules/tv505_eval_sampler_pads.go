package rules

// undoubled are what takes repeated items out again, or counts each by its id.
var undoubled = []string{"gather_for_metrics", "CocoEvaluator", "coco_evaluator", "COCOeval", "even_batches", "Join(", "all_gather_object", "len(dataset)", "len(self.dataset)", "Unpadded", "NonPadded", "SequentialDistributed"}

// tv505: each process gets as many items as the others, so some come twice.
func tv505() Rule {
	return Rule{
		Code:  "TV505",
		Needs: [][]string{{"DistributedSampler("}},
		Facts: undoubled[:1],
		Check: func(f *File, r *Report) {
			if f.says(f.Root(), undoubled...) {
				return
			}
			for call := range f.CallsOf("DistributedSampler") {
				if drop := f.Keyword(call, "drop_last"); drop != 0 && !f.IsFalse(drop) || !f.loadsEvaluation(call) {
					continue
				}
				r.Add(Finding{At: call, Unless: undoubled[:1], Message: "the sampler repeats items until every process has as many: an evaluation over it counts some of them twice, how many depends on the number of processes"})
			}
		},
	}
}
