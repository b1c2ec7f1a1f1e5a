package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var plainLines = []string{
	"Loading the dataset", "epoch 1 loss: 2.31", "NCCL INFO Using network Socket", "saving checkpoint to out/1",
	"epoch 2 loss: 1.93", "Warning: nothing", "  File \"x.py\", line 3", "validation accuracy 0.81", "done",
}

// labelled writes label(i) before each of n lines.
func labelled(n int, label func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(label(i) + plainLines[i%len(plainLines)] + "\n")
	}
	return b.String()
}

func TestLabels(t *testing.T) {
	t.Parallel()
	numbered := func(form string, of func(i int) int) func(int) string {
		return func(i int) string { return fmt.Sprintf(form, of(i)) }
	}
	mixed := func(i int) int { return i * 7 % 4 }
	for name, c := range map[string]struct {
		text string
		want Label
	}{
		"srun -l":                {labelled(60, numbered("%2d: ", mixed)), RankColon},
		"srun -l, one task":      {labelled(30, numbered("%d: ", func(int) int { return 0 })), RankColon},
		"mpiexec -l":             {labelled(60, numbered("[%d] ", mixed)), RankBracket},
		"numbered copy":          {labelled(30, numbered("[%d] ", func(i int) int { return 1743 + i })), LineNumber},
		"cat -n":                 {labelled(30, numbered("%6d\t", func(i int) int { return 1 + i })), LineNumber},
		"grep -n":                {labelled(30, numbered("%d: ", func(i int) int { return 1 + i })), LineNumber},
		"pdsh":                   {labelled(30, numbered("node%d: ", mixed)), HostColon},
		"addresses":              {labelled(30, numbered("10.0.0.%d: ", mixed)), HostColon},
		"DeepSpeed workers":      {labelled(30, numbered("worker-%d: ", mixed)), HostColon},
		"docker compose":         {labelled(30, numbered("trainer-%d  | ", mixed)), Compose},
		"pasted":                 {labelled(30, func(int) string { return "> " }), Quote},
		"gh run view":            {labelled(30, func(int) string { return "build\tRun tests\t2026-01-02T10:11:12.1234567Z " }), Tabs},
		"plain":                  {labelled(60, func(int) string { return "" }), NoLabel},
		"darknet":                {" 1: 9.1, 9.1 avg loss\n 2: 8.1, 9.0 avg loss\n 3: 7.1, 8.9 avg loss\n 4: 7, 8 avg\n 5: 6, 7 avg\n 6: 5, 6 avg\n 7: 4, 5 avg\n 8: 3, 4 avg\n 9: 2, 3 avg\n 10: 1, 2 avg\n", NoLabel},
		"epochs":                 {strings.Repeat("0: loss 1.2\n", 20) + strings.Repeat("1: loss 1.1\n", 20), NoLabel},
		"batches of every epoch": {strings.Repeat("0: loss 1.2\n1: loss 1.1\n2: loss 1.0\n", 20), NoLabel},
		"epoch counter":          {strings.Repeat("[0] loss 1.2\n[1] loss 1.1\n[2] loss 1.0\n", 1), NoLabel},
		"folds":                  {labelled(30, func(i int) string { return fmt.Sprintf("fold%d: ", i/10) }), NoLabel},
		"tables":                 {strings.Repeat("train | loss 1\nvalid | loss 2\ntest | acc 3\n", 10), NoLabel},
		"few quotes":             {labelled(30, func(i int) string { return []string{"> ", "", ""}[i%3] }), NoLabel},
		"llama2.c":               {strings.Repeat("11580 | loss 7.19 | lr 2e-05\n11590 | loss 7.19 | lr 2e-05\n", 10), NoLabel},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Sniff([]byte(c.text), Options{}).Label)
		})
	}
	require.Equal(t, RankColon, Sniff([]byte("0: 1.2\n1: 1.3\n"), Options{Ranks: RanksInLines}).Label)
}

func TestLabelIsTakenOff(t *testing.T) {
	t.Parallel()
	for label, c := range map[Label]struct {
		in, want, host string
		rank           int
	}{
		RankColon:   {" 12: [INFO] text", "text", "", 12},
		RankBracket: {"[3] text", "text", "", 3},
		LineNumber:  {"[1743] text", "text", "", noRank},
		HostColon:   {"worker-1: [2026-01-02 10:11:12,878] [INFO] [a.py:96:f] [Rank 8] text", "text", "worker-1", 8},
		Compose:     {"trainer-1  | text", "text", "trainer-1", noRank},
		Quote:       {"> text", "text", "", noRank},
		Tabs:        {"build\tRun\t2026-01-02T10:11:12.1Z text", "text", "", noRank},
	} {
		p, rest := (&Style{Label: label}).Prefix([]byte(c.in))
		require.Equal(t, c.want, string(rest), label)
		require.Equal(t, c.rank, p.Rank, label)
		require.Equal(t, c.host, p.Host, label)
	}
}

func TestSniffDates(t *testing.T) {
	t.Parallel()
	st := Sniff([]byte("31/01/2026 10:00:00 - INFO - a\n01/02/2026 10:00:00 - INFO - b\n"), Options{})
	require.True(t, st.DayFirst)
	st = Sniff([]byte("W0102 10:11:12.626000 12 a.py:9] x\n[2025-01-02 10:11:12,100] [INFO] y\n"), Options{})
	require.Equal(t, 2025, st.Year)
	p, _ := st.Prefix([]byte("W0102 10:11:12.626000 12 a.py:9] x"))
	require.False(t, p.NoYear)
	p, _ = ReadPrefix([]byte("W0102 10:11:12.626000 12 a.py:9] x"))
	require.True(t, p.NoYear)
	st = Sniff([]byte(strings.Repeat("Jan  2 10:11:12 node1 myprog: text\n", 5)), Options{})
	require.True(t, st.Journal)
}

// A level is no host: Python's usual format looks like a journal's.
func TestLoggersAreNoJournal(t *testing.T) {
	t.Parallel()
	var log []byte
	for i := range 20 {
		log = fmt.Appendf(log, "2026-08-01 10:00:%02d,123 INFO train: step %d loss 1.2\n", i, i)
	}
	require.False(t, Sniff(log, Options{}).Journal)
}

func BenchmarkSniff(b *testing.B) {
	for name, line := range map[string]string{
		"stamped": "2026-08-01 10:00:01,%03d INFO train: step 1/100000 loss 1.2034 grad_norm 0.251 lr 1.000e-04\n",
		"hf":      "{'loss': 1.%03d, 'grad_norm': 4.250112533569336, 'learning_rate': 4.75e-05, 'epoch': 0.12}\n",
	} {
		var head []byte
		for i := range 160 {
			head = fmt.Appendf(head, line, i)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Sniff(head, Options{})
			}
		})
	}
}
