// Package guards is what a Go trainer links so that a fault cannot turn into
// a plausible number.
//
// A GPU fault need not raise: the tensors hold garbage, the tokenizer drops the
// impossible ids, and a finite, plausible metric comes out. A loss scaler throws
// steps away and says nothing. The guards check values where that can be seen,
// return an error that names what happened, and write it into the run record,
// from which `trainvet audit` judges each metric.
//
//	func main() {
//		defer guards.Close()
//		site := guards.DecodeSite("evaluate", vocab)
//		steps := guards.NewSteps("AdamW")
//		wer := guards.NewMetric("eval_wer", "val").Expect(len(set))
//		…
//		guards.SetStep(step)
//		steps.Step(applied, batch)
//		…
//		if err := guards.CheckTokenIDs(site, ids); err != nil {
//			return err // before the ids become text
//		}
//		err := wer.Report(value, n)
//	}
//
// # What it guarantees
//
// Two kinds of error are told apart: [ErrFault], the machine miscomputed, and
// [ErrQuality], the training is bad. A [Fault] is recorded before it is
// returned, and it sticks: later metrics and files carry its taint, and
// [Run.Close] returns it even where a handler ate it.
//
// A tick or a check that finds nothing new takes no lock, allocates nothing and
// makes no system call. Without [EnvRun] no file is written, and errors are as
// ever. Where the record cannot be written the trainer goes on; the loss is
// counted, and the audit sees the gap.
//
// The module needs nothing but the standard library and asks for no newer Go
// than its go.mod says. Its contract with the audit is the run record, in
// package record.
//
// # What it is not
//
// It is no logger: what is recorded are checks, counts and evidence. It keeps
// no trainer from going on: what becomes of an error is the caller's choice,
// and the [Policy]'s.
package guards
