package marker

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

func TestXidLines(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, test := range []struct {
		line   string
		class  evidence.Class
		scope  evidence.Scope
		clears string
		attrs  map[string]string // those that must be there
	}{
		{"NVRM: Xid (PCI:0000:9c:00): 48, pid=2001, name=python3, DBE", evidence.Fault, evidence.Device, "probe",
			map[string]string{"code": "48", "pci": "0000:9c:00", "pid": "2001", "name": "python3"}},
		{"NVRM: Xid (PCI:0000:01:00 GPU-I:05 GPU-CI:00): 31, pid=77, name=pt_main_thread, Ch 1", evidence.Fault, evidence.Process, "process",
			map[string]string{"mig": "GPU-I:05 GPU-CI:00", "pid": "77", "name": "pt_main_thread"}},
		{"NVRM: Xid (PCI:0000:1b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.", evidence.Fault, evidence.Node, "probe",
			map[string]string{"code": "79", "pid": ""}},
		{"NVRM: Xid (PCI:0000:1b:00): 79, pid=<unknown>, name=<unknown>, GPU has fallen off", evidence.Fault, evidence.Node, "probe", map[string]string{"pid": ""}},
		{"NVRM: Xid (0000:03:00): 13, 0003 00000000 000090c0", evidence.Fault, evidence.Process, "process", map[string]string{"code": "13", "pid": ""}},
		{"NVRM: Xid (PCI:0000:9c:00): 63, pid=2001, name=python3, Row Remapper", evidence.Notice, evidence.Device, "", nil},
		{"NVRM: Xid (PCI:0000:01:00): 45, pid=5001, name=python3, Ch 00000008", evidence.Notice, evidence.Process, "", map[string]string{"caused_by": ""}},
		{"NVRM: Xid (PCI:0000:01:00): 45, pid=5001, name=python3, Ch 00000008 caused by previous Xid 31", evidence.Fault, evidence.Process, "process",
			map[string]string{"caused_by": "31"}},
		{"NVRM: Xid (PCI:0000:01:00): 45, pid=5001, name=python3, Ch 00000008 caused by previous Xid 149", evidence.Fault, evidence.Process, "process",
			map[string]string{"caused_by": "149"}},
		{"NVRM: Xid (PCI:0000:01:00): 45, pid=5001, name=python3, Ch 00000008 caused by previous Xid 63", evidence.Degraded, evidence.Process, "",
			map[string]string{"caused_by": "63"}},
		{"NVRM: Xid (PCI:0000:01:00): 145, RLW_CTRL Nonfatal XC1 i0 Link 12 (0x0)", evidence.Notice, evidence.Device, "", nil},
		{"NVRM: Xid (PCI:0000:01:00): 145, RLW_CTRL Fatal XC1 i0 Link 12 (0x0)", evidence.Fault, evidence.Device, "device-reset", nil},
		{"NVRM: Xid (PCI:0000:01:00): 149, NETIR_LINK_EVT Non-fatal XC0 i0 Link 3", evidence.Notice, evidence.Device, "", nil},
		{"NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x4 (Drain and Reset)", evidence.Notice, evidence.Device, "", nil},
		{"NVRM: Xid (PCI:0000:01:00): 999, something new", evidence.Notice, evidence.Device, "", map[string]string{"action": "unknown code"}},
	} {
		got := c.Match([]byte(test.line), nil, Context{Kernel: true})
		i := slices.IndexFunc(got, func(m Match) bool { return m.Def.ID == "xid" })
		require.GreaterOrEqual(t, i, 0, test.line)
		m := got[i]
		require.Equal(t, []any{test.class, test.scope, test.clears}, []any{m.Class, m.Scope, m.Clears}, test.line)
		for k, v := range test.attrs {
			require.Equal(t, v, m.Attrs[k], "%s: %s", k, test.line)
		}
	}
}

// Hardware codes are cleared by a passing probe only (design.md).
func TestHardwareXidsNeedAProbe(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, code := range []int{46, 48, 62, 64, 74, 79, 95, 119, 120, 140, 143} {
		x, ok := c.Xid(code)
		require.True(t, ok, code)
		require.Equal(t, evidence.Fault, x.Class, code)
		require.Equal(t, "probe", x.Clears, code)
	}
}

func TestFatalWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"rlw fatal xc1": true, "nonfatal": false, "non-fatal": false, "non-fatal then fatal": true, "": false, "fatality": true,
	} {
		require.Equal(t, want, fatalWord(text), text)
	}
}
