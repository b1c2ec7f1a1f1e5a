// Package ledger is the guard ledger (contract C6), the committed list of
// sites, one row a site, and what it makes of a scan.
//
//	# trainvet ledger v1: sorted; edit the reason, not the id
//	decode examples/show.py::main::decode @51aa0c7e exempt reason="prints the prompt it just tokenized; ids never leave the CPU" by=ab until=2027-06-30
//	step train.py::Trainer._run_batch::scaler.step @0b77de12 counted
//
// A row is kind, id, @shape, state and attributes in a fixed order. There are
// no line numbers, counts or dates of generation in it, and rows are sorted by
// their bytes, so that two branches merge line by line (merge=union, then fmt).
// The identity of a row is kind, id and shape together.
//
// Judge holds a scan against it. Which row belongs to which site is found by a
// ladder of three steps (see match) that never guesses between two candidates:
// an exemption holds for the call that it was written for, or for none. A
// row's state is computed anew each time; of what a row says only an
// exemption counts, with its reason and its end. An edit (Update, Accept,
// Exempt, Baseline) takes a ledger and a scan and returns a ledger: nothing
// here reads or writes a file.
package ledger
