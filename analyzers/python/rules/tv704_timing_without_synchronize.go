package rules

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv704: a device computes on while the host goes ahead. A clock that is read
// without waiting for it measures how fast work is handed over.
func tv704() Rule {
	return Rule{
		Code:  "TV704",
		Needs: [][]string{{"time.time(", "perf_counter", "monotonic(", "default_timer", "import time"}, {"backward("}, {"cuda", "device"}, {"import torch", "from torch"}},
		Check: func(f *File, r *Report) {
			for s := range f.spans() {
				if work, waits := f.deviceIn(s); work != 0 && !waits {
					r.Add(Finding{
						At:      s.diff,
						Message: "this time ends before the device is done: nothing waits for " + f.Src(f.First(work)) + " between the two readings of the clock, and what is measured is how fast work was handed over",
						Related: []Related{{At: s.begin, Message: "the clock is read here"}, {At: work, Message: "handed to the device here"}},
					})
				}
			}
		},
	}
}

// hostWaits are the methods and functions that wait for a device, or may: what
// prints, logs and saves takes numbers from it.
var hostWaits = []string{
	"synchronize", "item", "cpu", "tolist", "numpy", "elapsed_time", "barrier", "wait", "mark_step", "isnan", "isfinite",
	"save", "evaluate", "float", "print", "all_reduce", "gather", "reduce_loss", "reduce_dict", "generate", "block_until_ready",
}

// deviceIn is the last backward in a span, and whether the host waits for the
// device anywhere in it: in a loop that waits once an iteration, the mean of its
// times is right.
func (f *File) deviceIn(s span) (work syntax.Node, waits bool) {
	for n := range f.timed(s) {
		if f.Kind(n) != syntax.Call {
			continue
		}
		name := f.Last(f.First(n))
		if def, _ := f.Calls.Callee(n); def != 0 && f.callsAny(def, hostWaits...) {
			waits = true
		}
		switch {
		case name == "backward" && f.Receiver(n) != 0:
			work = n
		case slices.Contains(hostWaits, name), strings.Contains(name, "log"), strings.Contains(name, "sync"):
			waits = true
		}
	}
	return work, waits
}
