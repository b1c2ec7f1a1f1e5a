package report

import (
	"math"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// The results below are built by hand: the printer is tested apart from the judge.

const console = "run.log"

func at(line int64) evidence.Pos {
	return evidence.Pos{Source: console, Line: line, Offset: line * 80}
}

func steps(from, to float64) evidence.Span {
	return evidence.Span{Has: true, First: evidence.Num(from), Last: evidence.Num(to)}
}

func metric(name, text string, v float64, line int64, step float64) verdict.Subject {
	return verdict.Subject{Kind: "metric", Name: name, Printed: name, Text: text, Value: evidence.Num(v),
		At: at(line), Step: steps(step, step), Role: evidence.Eval}
}

func judged(s verdict.Subject, v verdict.Verdict, why ...verdict.Reason) verdict.Subject {
	s.Verdict, s.Why = v, why
	return s
}

func sourcesOf(ids ...string) (out []verdict.SourceLine) {
	for _, id := range ids {
		out = append(out, verdict.SourceLine{ID: id, Kind: "console", Bytes: 81234, Lines: 1015})
	}
	return out
}

func trustedRun() verdict.Subject { return verdict.Subject{Kind: "run", Name: "run"} }

func notSeen() []verdict.Note {
	return []verdict.Note{
		{Code: "stderr", Text: "standard error is not proven to be in the log", Do: "trainvet run -- COMMAND"},
		{Code: "end", Text: "no end line", Do: "trainvet run -- COMMAND"},
	}
}

func healthyResult() *verdict.Result {
	acc := metric("eval_accuracy", "0.8378", 0.8378, 402, 1500)
	n := int64(37)
	acc.Samples, acc.Sample = &n, "1/37 = 0.027"
	return &verdict.Result{
		Version: verdict.ResultVersion, Run: trustedRun(),
		Claims:    []verdict.Subject{metric("eval_loss", "0.41270", 0.4127, 402, 1500), acc},
		Decisions: []evidence.Decision{{At: at(3), Topic: "device", Asked: "cuda", Got: "cuda", Text: "Training device: cuda"}},
		Series: []verdict.Series{{Name: "loss", Source: console, Role: evidence.Series, Stretches: []verdict.Stretch{
			{Step: steps(1, 1500), First: 2.31, Last: 0.38, Text: "0.3801", N: 150}}}},
		Notes: []verdict.Note{{Code: "sampled", Text: "training values were read in samples", Do: "--all reads every value"}},
		Skipped: append(notSeen(),
			verdict.Note{Code: "curve-not-checked", Text: "learning rate is 0: no learning rate"},
			verdict.Note{Code: "curve-not-checked", Text: "gradient norm is 0, gradient norm spike: no gradient norm"}),
		Sources: sourcesOf(console),
	}
}

func deviceFault() verdict.Event {
	return verdict.Event{ID: "metal-command-buffer", Scope: evidence.Device, Count: 3,
		First: verdict.Ref{At: at(640), Text: "Error: command buffer exited with error status."},
		Last:  verdict.Ref{At: at(655), Text: "Error: command buffer exited with error status."},
		Text:  "the driver dropped work: what the process computes from here on may be garbage"}
}

func afterFault() verdict.Reason {
	return verdict.Reason{Code: "after-fault", Verdict: verdict.Poisoned, Text: "computed after a device fault",
		Refs: []verdict.Ref{deviceFault().First}}
}

func poisonedResult() *verdict.Result {
	good := metric("eval_loss", "1.8823", 1.8823, 402, 2000)
	return &verdict.Result{
		Version: verdict.ResultVersion, Headline: verdict.Poisoned,
		Claims: []verdict.Subject{
			judged(metric("eval_wer", "100.0", 100, 812, 4000), verdict.Poisoned, afterFault()),
			judged(metric("eval_cer", "100.0", 100, 812, 4000), verdict.Poisoned, afterFault()),
			good,
		},
		Run:       judged(trustedRun(), verdict.Poisoned, afterFault()),
		Machine:   &verdict.Subject{Kind: "machine", Name: "Apple M3 Max", Verdict: verdict.Poisoned},
		Decisions: []evidence.Decision{{At: at(3), Topic: "device", Asked: "auto", Got: "mps", Text: "Using device: mps"}},
		Series: []verdict.Series{{Name: "loss", Source: console, Role: evidence.Series, Stretches: []verdict.Stretch{
			{Step: steps(1, 4000), First: 9.1, Last: 1.9, Text: "1.9021", N: 400},
			{Verdict: verdict.Poisoned, Why: []verdict.Reason{afterFault()}, Step: steps(4010, 6000), Last: evidence.Num(math.NaN()), Text: "nan", N: 200}}}},
		Artifacts: []verdict.Subject{
			{Kind: "artifact", Name: "out/checkpoint-2000", At: at(403), Step: steps(2000, 2000)},
			judged(verdict.Subject{Kind: "artifact", Name: "out/checkpoint-4000", At: at(820), Step: steps(4000, 4000)},
				verdict.Poisoned, verdict.Reason{Code: "after-fault", Verdict: verdict.Poisoned, Text: "written after a device fault", Refs: []verdict.Ref{deviceFault().First}}),
		},
		Faults:     []verdict.Event{deviceFault()},
		LastBefore: []verdict.Subject{metric("eval_wer", "37.41", 37.41, 402, 2000)},
		Quality:    []verdict.Note{{Code: "final-worse", Text: "eval_wer ended at 100.0, its best was 37.41 at step 2000", Do: "use the best checkpoint"}},
		Skipped: append(notSeen(),
			verdict.Note{Code: "curve-not-checked", Text: "learning rate is 0: no learning rate"},
			verdict.Note{Code: "curve-not-checked", Text: "gradient norm is 0, gradient norm spike: no gradient norm"}),
		Sources: sourcesOf(console),
	}
}

func unprovenResult() *verdict.Result {
	refs := []verdict.Ref{{At: evidence.Pos{Source: "run.err", Line: 7}, Text: "NVRM: Xid (PCI:0000:65:00): 79, pid=1, GPU has fallen off the bus."}}
	c := judged(metric("eval_accuracy", "0.912", 0.912, 88, 900), verdict.Unproven, verdict.Reason{
		Code: "order-unproven", Verdict: verdict.Unproven, Refs: refs,
		Text: "nvidia-xid is in scope, and it cannot be proven which came first: two files without time stamps"})
	return &verdict.Result{
		Version: verdict.ResultVersion, Headline: verdict.Unproven, Claims: []verdict.Subject{c}, Run: trustedRun(),
		Faults: []verdict.Event{{ID: "nvidia-xid", Scope: evidence.Device, Count: 1, First: refs[0], Last: refs[0],
			Text: "the device left the bus"}},
		Skipped: notSeen(), Sources: sourcesOf(console, "run.err"),
	}
}

func degradedResult() *verdict.Result {
	skip := verdict.Reason{Code: "steps-skipped", Verdict: verdict.Degraded,
		Text: "16 of 16 attempted steps before it were skipped (100 %)",
		Refs: []verdict.Ref{{At: at(5), Text: "overflow 1"}, {At: at(6), Text: "overflow 2"}, {At: at(7), Text: "overflow 3"},
			{At: at(8), Text: "overflow 4"}, {At: at(9), Text: "overflow 5"}}}
	few := verdict.Reason{Code: "few-skips", Text: "a note beside it"}
	c := judged(metric("eval_loss", "2.3026", 2.3026, 44, 16), verdict.Degraded, skip, few)
	c.NoApplied = true
	c.Remarks = []string{"constant at every epoch"}
	return &verdict.Result{
		Version: verdict.ResultVersion, Headline: verdict.Degraded, Claims: []verdict.Subject{c}, Run: trustedRun(),
		Losses: []verdict.Event{{ID: "deepspeed-skip", Scope: evidence.Process, Effect: "steps", Count: 16,
			First: skip.Refs[0], Last: skip.Refs[4], Text: "an optimizer step was thrown away"}},
		Steps: &verdict.Steps{Attempted: 16, Skipped: 16, LowerBound: true, Text: "optimizer 0: every step was skipped"},
		Notes: []verdict.Note{{Code: "small-scale", Text: "the scale ended at 1", Do: "watch it"}},
	}
}

// ranksResult has more claims than are shown one by one, some folded over ranks.
func ranksResult() *verdict.Result {
	r := &verdict.Result{Version: verdict.ResultVersion, Headline: verdict.Poisoned, Run: trustedRun(), Level: verdict.Captured}
	for _, n := range "abcdefghijkl" {
		m := judged(metric("eval/"+string(n), "1.0", 1, 900, 50), verdict.Poisoned, afterFault())
		m.Ranks = "0-7"
		r.Claims = append(r.Claims, m)
	}
	for _, n := range "mnopqrstuvwx" {
		m := metric("eval/"+string(n), "1.0", 1, 400, 40)
		m.Ranks, m.Level = "0-6", verdict.Captured
		r.Claims = append(r.Claims, m)
	}
	r.Faults = []verdict.Event{deviceFault()}
	return r
}

const hostile = "\x1b[2Jeval\u202e_lo\nTRUSTED (probed)  x\r\u0085\x9b31m\x7f\u200b"

func hostileResult() *verdict.Result {
	r := poisonedResult()
	for i := range r.Claims {
		r.Claims[i].Printed, r.Claims[i].Text = hostile, hostile
		r.Claims[i].At.Source, r.Claims[i].Ranks = hostile, hostile
		r.Claims[i].Remarks = []string{hostile}
	}
	r.Decisions[0].Got, r.Decisions[0].Topic, r.Decisions[0].Text = hostile, hostile, hostile
	r.Faults[0].First.Text, r.Faults[0].Text, r.Faults[0].Note = hostile, hostile, hostile
	r.Artifacts[0].Name, r.Artifacts[1].Name = hostile, hostile
	r.Sources[0].ID, r.Sources[0].Note = hostile, hostile
	return r
}

func noMetricResult() *verdict.Result {
	return &verdict.Result{Version: verdict.ResultVersion, Headline: verdict.Unproven,
		Run: judged(trustedRun(), verdict.Unproven, verdict.Reason{Code: "no-metric", Verdict: verdict.Unproven,
			Text: "no metric was found in what was read"}),
		Sources: sourcesOf(console)}
}
