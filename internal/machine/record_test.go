package machine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

var (
	gpuA = Target{ID: "GPU-aaaaaaaa-0000-4444-8888-0123456789ab", Name: "NVIDIA H100", Bus: "0000:3b:00.0"}
	gpuB = Target{ID: "GPU-bbbbbbbb-0000-4444-8888-0123456789ab", Name: "NVIDIA H100", Bus: "0000:9c:00.0"}
)

func where(devices ...Target) Where {
	return Where{Run: "r1", Machine: "node-1", BootID: "b1", At: day(3), Devices: devices}
}

func seen(id string, scope evidence.Scope, clears, text string) evidence.Marker {
	return evidence.Marker{ID: id, Class: evidence.Fault, Scope: scope, Clears: clears, Text: text}
}

func TestWhatAFaultMarks(t *testing.T) {
	t.Parallel()
	quoted := seen("xid-48", evidence.Device, "probe", "x")
	quoted.Quoted = "documentation"
	notice := seen("xid", evidence.Device, "", "x")
	notice.Class = evidence.Notice
	for _, tt := range []struct {
		name    string
		marker  evidence.Marker
		devices []Target
		want    []string
	}{
		{"the device that the line names", seen("xid", evidence.Device, "probe", "NVRM: Xid (PCI:0000:9c:00): 48, ..."), []Target{gpuA, gpuB}, []string{gpuB.ID}},
		{"by its uuid", seen("m", evidence.Device, "probe", "lost gpu-aaaaaaaa-0000-4444-8888-0123456789AB"), []Target{gpuA, gpuB}, []string{gpuA.ID}},
		{"no device named: each", seen("m", evidence.Device, "device-reset", "GPU is lost"), []Target{gpuA, gpuB}, []string{gpuA.ID, gpuB.ID}},
		{"another device named: each", seen("m", evidence.Device, "probe", "PCI:0000:ff:00"), []Target{gpuA}, []string{gpuA.ID}},
		{"no device known", seen("m", evidence.Device, "probe", "GPU is lost"), nil, []string{"node-1"}},
		{"the node", seen("mce", evidence.Node, "probe", "mce"), []Target{gpuA}, []string{"node-1"}},
		{"a wrong label's assert", seen("cuda-dsa", evidence.Process, "process", "device-side assert"), []Target{gpuA}, nil},
		{"the job's", seen("nccl", evidence.Job, "process", "nccl"), []Target{gpuA}, nil},
		{"a quotation", quoted, []Target{gpuA}, nil},
		{"a notice", notice, []Target{gpuA}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, m := range TaintsOf(&evidence.Evidence{Markers: []evidence.Marker{tt.marker}}, where(tt.devices...)) {
				got = append(got, m.Key.ID)
				require.Equal(t, day(3), m.Taint.Since)
				require.Equal(t, "r1", m.Taint.Run)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestFindingsOfGuardsMarkToo(t *testing.T) {
	t.Parallel()
	ev := &evidence.Evidence{Run: &evidence.Run{Findings: []evidence.Finding{
		{Code: "echo", Class: "fault", Scope: evidence.Device, Device: gpuB.ID, Text: "the copy came back changed"},
		{Code: "ids", Class: "fault", Scope: evidence.Process, Text: "id 16843009"},
		{Code: "collapse", Class: "quality", Scope: evidence.Device, Text: "one class"},
	}}}
	got := TaintsOf(ev, where(gpuA, gpuB))
	require.Len(t, got, 1)
	require.Equal(t, gpuB.ID, got[0].Key.ID)
	require.Equal(t, "echo", got[0].Taint.Marker)
}

// TestSnapshot: what the manifest of the next run carries, through reboot and probes.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	s := Open(t.TempDir())
	require.Equal(t, Snapshot{}, s.Snapshot("b1", nil))
	require.NoError(t, s.Record(TaintsOf(&evidence.Evidence{Markers: []evidence.Marker{
		seen("xid-48", evidence.Device, "probe", "PCI:0000:3b:00"), seen("mtl", evidence.Device, "device-reset", "PCI:0000:9c:00"),
	}}, where(gpuA, gpuB))))
	devices := func(snap Snapshot) (ids []string) {
		for _, x := range snap.Taints {
			ids = append(ids, x.Device)
		}
		return ids
	}
	require.Equal(t, []string{gpuA.ID, gpuB.ID}, devices(s.Snapshot("b1", nil)))
	require.Equal(t, []string{gpuB.ID}, devices(s.Snapshot("b1", []string{gpuB.ID})), "of the run's devices only")
	require.Equal(t, []string{gpuA.ID}, devices(s.Snapshot("b2", nil)), "a reboot clears what the driver did")
	require.Equal(t, []string{gpuA.ID, gpuB.ID}, devices(s.Snapshot("", nil)), "a boot that is not known clears nothing")
	for n := range passes {
		require.NoError(t, s.Update(Key{KindDevice, gpuA.ID}, func(st *State) error {
			st.AddProbe(Probe{Name: "all", Passed: true, At: day(4 + n), BootID: "b2"})
			return nil
		}))
	}
	snap := s.Snapshot("b2", []string{gpuA.ID})
	require.Empty(t, snap.Taints)
	require.Equal(t, []evidence.Probe{{Device: gpuA.ID, Name: "all", Passed: true, Current: true}}, snap.Probes)
}
