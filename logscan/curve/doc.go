// Package curve reads the shape of training curves: quality findings.
//
// A quality finding says that the model or the training is bad (it diverged,
// it never learned, it overfits). It is no fault, it needs another remedy, and
// it never changes a verdict: a bad model may be measured truly.
//
// What it guarantees: [Find] and [Compare] are pure; each finding carries the
// numbers that triggered it and where they stand; each check that could not run
// is named with its reason; every threshold is data with a reason of its own
// ([Thresholds]). Statistics are robust (medians, median absolute deviations,
// ranks): no single point makes a finding, unless the check is about single
// points and says so.
//
// What it gives up: a curve alone cannot tell a dead run from fine-tuning that
// starts where it ends, so a flat loss is only called dead when a second
// witness says the model is bad (chance level, a poor score, no gradient); else
// the question is handed back as not checked. Losses of adversarial and
// reinforcement learning say nothing about progress and are left alone. Known
// faults that make a curve look better are not findable here at all.
package curve
