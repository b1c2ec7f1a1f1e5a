package verdict

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

func TestEndingsInWords(t *testing.T) {
	t.Parallel()
	code := func(n int) *int { return &n }
	for _, tt := range []struct {
		run   *evidence.Run
		text  string
		whole bool
	}{
		{&evidence.Run{Ending: "exit", Exit: code(0)}, "ended by itself, with code 0", true},
		{&evidence.Run{Ending: "exit", Exit: code(1)}, "ended by itself, with code 1", false},
		{&evidence.Run{Ending: "signal", Signal: "SIGKILL"}, "ended by SIGKILL", false},
		{&evidence.Run{Ending: "oom", Signal: "SIGKILL"}, "killed for want of memory", false},
		{&evidence.Run{Ending: "reboot"}, "the machine was restarted under it", false},
		{&evidence.Run{Ending: "unknown"}, "how it ended is not known", false},
		{&evidence.Run{Ending: "exit+signal", Exit: nil, Signal: "SIGTERM"}, "ended by itself, with code not known; another part: ended by SIGTERM", false},
		{&evidence.Run{Ending: "of a later version"}, "of a later version", false},
	} {
		got := ending(tt.run)
		require.Equal(t, tt.text, got.Text)
		require.Equal(t, tt.whole, got.Whole)
	}
	require.Nil(t, ending(nil))
	require.Nil(t, ending(&evidence.Run{Loose: true, Ending: "unknown"}))
}

// TestEachEndingHasWords holds the table against the kinds that run directories know.
func TestEachEndingHasWords(t *testing.T) {
	t.Parallel()
	for _, kind := range strings.Fields("exit signal oom time-limit preempted reboot teardown unknown") {
		require.NotEqual(t, kind, endingWords(kind))
	}
}
