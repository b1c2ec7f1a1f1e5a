// Package gomlxguard attaches the guards of trainvet to a GoMLX trainer.
//
//	optimizer := gomlxguard.Watch(optimizer.Adam().Done())
//	trainer := train.NewTrainer(backend, store, model, loss, optimizer, nil,
//		[]metric.Interface{accuracy, gomlxguard.Outputs()})
//	guard, err := gomlxguard.Attach(train.NewLoop(trainer))
//	…
//	_, err = guard.RunSteps(gomlxguard.Dataset(data, site), 1000)
//	values, err := guard.Eval("val", gomlxguard.Dataset(held, site))
//
// GoMLX trains in silence: it looks for NaN only in Loop, only at the loss and
// only after its hooks; an id outside an embedding is clamped in the forward
// pass and ends the process in the backward one; a target that is reached
// already trains nothing and is no error; the accuracy of NaN logits is finite.
// Attach sees each of these and writes it into the run record.
//
// For float16 there is [Scaler], a dynamic loss scaler in the graph.
//
// # What it guarantees
//
// The step ledger counts a step as applied when the parameters changed, bit by
// bit, and as thrown away otherwise, whoever threw it away: a scaler, clip_nan,
// adam_backoff or a wrapper that nobody told of. Errors are those of package
// guards: a *guards.Fault where the machine miscomputed, a *guards.Finding
// where the training is bad; besides them a [*GraphError] for a panic while a
// graph was built.
//
// # What it is not
//
// It cannot catch a panic in a goroutine of the backend, which ends the
// process: what leads to one is checked before. The state of the graph that it
// needs lies in variables below [Scope], so that checkpoints keep it. The
// module is made for GoMLX v0.28.2.
package gomlxguard
