package marker

import (
	"strings"
	"testing"
)

// No input panics, bounds lie inside the line, and what the quotation rules
// say does not depend on anything but the input.
func FuzzMatch(f *testing.F) {
	c, err := Load()
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{
		"Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)",
		"NVRM: Xid (PCI:0000:01:00 GPU-I:05): 45, pid=1, name=x caused by previous Xid 31",
		`{"prompt": "device-side assert triggered", 'a': "`,
		"                    WARNING: found   \n\n", "Killed", "_IncompatibleKeys(missing_keys=['a.b'",
	} {
		f.Add([]byte(s), []byte("prev\nWARNING: found"), true, false)
	}
	f.Fuzz(func(t *testing.T, line, prev []byte, bar, kernel bool) {
		ctx := Context{Bar: bar, Kernel: kernel}
		got := c.Match(line, prev, ctx)
		again := c.Match(line, prev, ctx)
		if len(got) != len(again) {
			t.Fatalf("%d matches, then %d", len(got), len(again))
		}
		for i, m := range got {
			if m.Start < 0 || m.End > len(line) || m.Start > m.End {
				t.Fatalf("%s: %d..%d of %d", m.Def.ID, m.Start, m.End, len(line))
			}
			if m.Quoted != again[i].Quoted || len(strings.Fields(m.Quoted)) > 4 {
				t.Fatalf("%s: %q, then %q", m.Def.ID, m.Quoted, again[i].Quoted)
			}
			if m.Lines < 0 || m.Lines > 0 && len(prev) == 0 {
				t.Fatalf("%s: wrapped over %d lines", m.Def.ID, m.Lines)
			}
		}
	})
}
