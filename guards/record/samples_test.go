package record

import "math"

// samples is one record of each type, as a run would write them.
func samples() []Record {
	sink := &Sink{Device: 2049, Inode: 18446744073709551615, Offset: 1 << 40}
	bodies := []Body{
		&Boot{Run: "20260810-142233-7f3a", Host: "node-1", BootID: "b0", Parent: 40, Start: 1_754_836_953_000_000_001,
			Lang: "python", Runtime: "3.11.7", Guards: "0.1.0", Argv: []string{"python", "train.py", "--lr=1e-4"}, World: 2, LocalRank: 0,
			Why: "libtorch", Frameworks: []Software{{"torch", "2.14.1"}, {"transformers", "5.12.1"}}, Checks: []string{"decode", "steps", "finite"},
			Off: []NotLive{{"replicas", "one process"}}},
		&Child{Pid: 4243, How: "spawn", Argv: []string{"python", "-c", "from multiprocessing.spawn import spawn_main"}, Expect: true},
		&Site{Site: 1, Kind: "decode", Name: "batch_decode", ID: "train.py::evaluate::batch_decode", State: "runtime", File: "train.py", Line: 88,
			Function: "evaluate", Vocab: 50257, Width: 50304, Bound: "len(tokenizer), lm_head rows", Live: true},
		&Count{Check: "decode", Site: 1, Calls: 64, Values: 28672, Tally: []Tally{{"fill", 512}, {"unmapped", 1}}},
		&Fault{Code: "ids-signature", Effect: Poison, Scope: "process", Site: 1, Device: "GPU-5b1c", Value: "72340172838076673", Row: 3, Column: 7,
			Step: 4010, From: 4010, Until: None, Text: "id 72340172838076673 is eight bytes of 0x01"},
		&Finding{Code: "nonfinite-buffer", Class: ClassQuality, Effect: Poison, Scope: "process", From: 20, Until: None, Metric: "eval_*",
			Name: "bn1.running_var", Text: "running variance is not finite from step 20"},
		&Step{Optimizer: "AdamW", Step: 4000, Planned: 5000, Attempted: 4000, Applied: 3996, Skipped: 4, Samples: 128000, How: "found-inf"},
		&Skip{Optimizer: "AdamW", From: 1, Until: 4, Count: 4, Step: 4, Reason: "found-inf", Scale: 65536, Scaled: true, Total: 4},
		&Metric{Name: "eval_loss", Value: Float(math.NaN()), Split: "val", N: 37, Good: 30, Step: 4000, Epoch: 2.5, Taint: "ids-signature", From: "trainer"},
		&Held{Code: "replicas-differ", Effect: Degrade, Group: "parameters of GPT on ranks 0,1", Member: "rank 0", Expect: ExpectEqual,
			Text: "the parameters of GPT", Items: []HeldItem{{1, "", "crc32:5f0e"}, {1, "wte.weight", "crc32:00aa"}}},
		&Resume{Path: "out/checkpoint-3000/model.safetensors", Size: 548105171, Sample: "9f2c", Step: 3000, Carried: []Carried{{"AdamW", 3000, 2996}}},
		&Artifact{Op: "wrote", Path: "out/checkpoint-4000/model.safetensors", Size: 548105171, Sample: "71d0", Step: 4000, Kind: "checkpoint"},
		&Probe{Name: "parity/matmul", Device: "GPU-5b1c", Driver: "580.12", Framework: "torch 2.14.1", Passed: true, Text: "1.0e-3 of 1.6e-2 allowed"},
		&End{Why: "exit"},
	}
	types := []Type{TypeBoot, TypeChild, TypeSite, TypeCount, TypeFault, TypeFinding, TypeStep, TypeSkip, TypeMetric, TypeHeld, TypeResume, TypeArtifact, TypeProbe, TypeEnd}
	recs := make([]Record, len(bodies))
	for i, b := range bodies {
		recs[i] = Record{Type: types[i], Body: b, Head: Head{
			Wall: 1_754_836_953_000_000_001 + int64(i), Mono: 9_000_000_000 + int64(i), Pid: 4242, Rank: 0, Seq: uint64(i + 1), Sink: sink}}
	}
	recs[1].Rank, recs[1].Sink = None, nil
	return recs
}

func encodeAll(recs []Record) []byte {
	var b []byte
	for _, r := range recs {
		b = Append(b, r.Head, r.Body)
	}
	return b
}
