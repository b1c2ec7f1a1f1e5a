// Package guardtest holds poisoned batches of every grade, so that an author
// can show that the guards of a trainer fire, and that nothing eats them on
// their way up:
//
//	func TestEvaluateIsGuarded(t *testing.T) {
//		guardtest.Decode(t, vocab, func(rows [][]int32) error {
//			return evaluate(model(rows)) // decodes, scores and reports as ever
//		})
//	}
//
// Beside each kind of fault stand healthy batches that resemble it: a guard
// that alarms on these is worse than none.
//
// It is for tests and imports package testing.
package guardtest
