package rundir

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIntentUnmet(t *testing.T) {
	t.Parallel()
	idle := Event{Type: EventProcess, Kind: KindNoAccelerator, Pid: 7, Library: "torch", Argv: []string{"python", "train.py"}}
	open := Event{Type: EventProcess, Kind: KindAccelerator, Pid: 8, Path: "/dev/nvidia-uvm"}
	const line = "trainvet device: cpu (asked gpu, not met; this machine shows no accelerator)"
	for name, tt := range map[string]struct {
		m      Manifest
		events []Event
		want   string
	}{
		"not asked":                   {Manifest{}, []Event{idle}, ""},
		"auto":                        {Manifest{Intent: "auto", IntentMet: true}, []Event{idle}, ""},
		"the CPU was asked for":       {Manifest{Intent: "cpu", IntentMet: true}, []Event{idle}, ""},
		"there is none":               {Manifest{Intent: "gpu", Resolved: line}, nil, line},
		"there is one and it is used": {Manifest{Intent: "cuda", IntentMet: true}, []Event{idle, open}, ""},
		"nothing is known of its use": {Manifest{Intent: "gpu", IntentMet: true}, nil, ""},
		"there is one and it is not":  {Manifest{Intent: "gpu", IntentMet: true}, []Event{idle}, "asked gpu, and no process of the run had an accelerator open: 7 (python train.py)"},
	} {
		require.Equal(t, tt.want, (&Dir{Manifest: &tt.m, Events: tt.events}).IntentUnmet(), name)
	}
	require.Empty(t, (&Dir{}).IntentUnmet())
}
