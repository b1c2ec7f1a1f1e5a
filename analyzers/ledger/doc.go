// Package ledger is the guard ledger's text form (contract C6): the committed
// list of sites, one row a site.
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
// The package reads and writes; which row belongs to which site, and whether a
// state is true, is for its users to find out.
package ledger
