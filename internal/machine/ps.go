package machine

import "strings"

// psRow is a row of ps.
type psRow struct{ state, name string }

// stuckRows picks, by pid, the rows of ps -o pid=,stat=,comm= whose process
// cannot end or waits in the kernel: E or U anywhere in its state.
func stuckRows(out string) map[string]psRow {
	rows := map[string]psRow{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) >= 3 && strings.ContainsAny(f[1], "EU") {
			rows[f[0]] = psRow{f[1], strings.Join(f[2:], " ")}
		}
	}
	return rows
}
