package source

import "testing"

// A line names the process that printed it only where a launcher or a journal
// does; what may be a thread is none.
func TestPrinter(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"(train_fn pid=2312) loss 0.3":                                                       "(2312)",
		"(RayTrainWorker pid=2312, ip=10.0.0.1) loss 0.3":                                    "10.0.0.1(2312)",
		"2026-01-02T10:11:12.123456+00:00 node1 python3[5001]: loss 0.3":                     "node1[5001]",
		"Jan  2 10:11:12 node1 3f0a9c12ab[987]: loss 0.3":                                    "node1(987)", // a container's lines bear the collector's number
		"2026-01-02 10:11:12.345 python3[501:1234] Error: command buffer exited":             "[501]",
		"I0102 10:11:12.345678 140204 train.py:301] loss 0.3":                                "",
		"2026-01-02T10:11:12.123456+00:00 node1 kernel: NVRM: Xid (PCI:0000:3b:00): 31, pid": "",
		"<30>1 2026-01-02T10:11:12.003Z n7 python3 5001 - [x@1 a=\"b\\]\"] loss 0.3":         "n7[5001]",
		"<30>1 2026-01-02T10:11:12.003Z n7 trainer - - - loss 0.3":                           "",
		"(0/4) loss 0.3": "",
	} {
		if p, _ := ReadPrefix([]byte(line)); p.Printer != want {
			t.Errorf("%s: %q, want %q", line, p.Printer, want)
		}
	}
}
