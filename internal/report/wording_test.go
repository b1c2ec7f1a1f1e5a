package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// A run whose claims all stand before its end still did not end by itself, and
// the reader must not be told that no value was printed before the fault.
func TestCrashStandsInTheFirstLine(t *testing.T) {
	t.Parallel()
	r := healthyResult()
	r.Faults = []verdict.Event{deviceFault()}
	r.Crashes = []verdict.Event{{ID: "py-traceback", Scope: evidence.Process, Count: 1, First: deviceFault().First}}
	got := printed(t, Text(Options{}), r)
	require.Regexp(t, `^TRUSTED \(log\)  .*; ended early \(py-traceback\)\n`, got)
	require.Contains(t, got, "Last value before the fault: the claims above stand\n")
}

// A batch for which there was no memory was left out, and the run went on.
func TestACrashThatValuesFollowEndedNothing(t *testing.T) {
	t.Parallel()
	r := poisonedResult()
	r.Crashes = []verdict.Event{{ID: "cuda-oom", Count: 1, First: verdict.Ref{At: at(9)}}}
	require.NotContains(t, printed(t, Text(Options{}), r), "ended early")
	r.Crashes[0].First.At = at(9000)
	require.Contains(t, printed(t, Text(Options{}), r), "2 of 3 claims; ended early (cuda-oom)\n")
}

func TestAFaultThatLeavesSomeClaimsAlone(t *testing.T) {
	t.Parallel()
	r := poisonedResult()
	r.LastBefore = nil
	require.Contains(t, printed(t, Text(Options{}), r), "Last value before the fault: none was printed of the metrics in doubt, the TRUSTED claims above stand\n")
	r.Claims = r.Claims[:2]
	require.Contains(t, printed(t, Text(Options{}), r), "Last value before the fault: none was printed\n")
}

func TestOthersTakeOneLineAVerdict(t *testing.T) {
	t.Parallel()
	r := poisonedResult()
	r.Others = []verdict.Subject{
		judged(metric("lr", "0.1", 0.1, 10, 1), verdict.Poisoned), metric("mfu", "4 %", 4, 11, 1),
		judged(metric("speed", "3it/s", 3, 12, 1), verdict.Poisoned),
	}
	require.Contains(t, printed(t, Text(Options{}), r),
		"other values (no claims)\n  POISONED  lr 0.1 (step 1), speed 3it/s (step 1)\n  TRUSTED (log)  mfu 4 % (step 1)\n")
	require.Contains(t, printed(t, Text(Options{Verbose: true}), r), "  POISONED  speed 3it/s (step 1)  run.log:12\n")
}

func TestAllValuesAreListed(t *testing.T) {
	t.Parallel()
	r := healthyResult()
	r.Values = []verdict.Subject{metric("loss", "2.5", 2.5, 7, 3)}
	r.Values[0].Epoch = evidence.Span{Has: true, First: 1, Last: 1}
	require.Contains(t, printed(t, Text(Options{}), r), "\nall values\n  TRUSTED (log)  loss 2.5 (epoch 1, step 3)  run.log:7\n")
}
