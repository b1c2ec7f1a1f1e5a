package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// told builds the run record of processes one after another. A line is a process
// and what it did in turn: "+" a step that was applied, "-" one that was thrown
// away, w a file that it wrote, r one that it read, R one that it goes on from
// with the step of the trainer's counter, e that it ended. Time goes on by one
// with each, and the output by ten bytes.
type told struct {
	run   *evidence.Run
	clock int64
	procs map[string]*evidence.StepLedger
	steps map[string]float64
}

func tell(t *testing.T, script string) (*evidence.Run, map[string]int64) {
	t.Helper()
	w := &told{run: &evidence.Run{}, procs: map[string]*evidence.StepLedger{}, steps: map[string]float64{}}
	marks := map[string]int64{}
	for word := range strings.FieldsSeq(script) {
		if name, ok := strings.CutPrefix(word, "@"); ok {
			w.clock++
			marks[name] = w.clock * 10
			continue
		}
		name, what, ok := strings.Cut(word, ":")
		require.True(t, ok, word)
		w.process(name).does(w, what)
	}
	for _, name := range []string{"A", "B", "C", "D", "A1", "B1"} {
		if l := w.procs[name]; l != nil {
			w.run.Steps = append(w.run.Steps, *l)
		}
	}
	return w.run, marks
}

type teller struct {
	l    *evidence.StepLedger
	name string
}

func (w *told) process(name string) teller {
	l := w.procs[name]
	if l == nil {
		l = &evidence.StepLedger{Optimizer: "adam", Pid: 100 + len(w.procs)}
		if len(name) > 1 {
			rank := int(name[1] - '0')
			l.Rank = &rank
		}
		w.procs[name] = l
		w.run.Boots = append(w.run.Boots, evidence.Boot{Pid: l.Pid, File: name + ".jsonl"})
	}
	return teller{l, name}
}

func (p teller) at(w *told) (evidence.Pos, *evidence.Pos) {
	w.clock++
	return evidence.Pos{Source: "dir/" + p.name + ".jsonl", Offset: w.clock, Time: w.clock}, &evidence.Pos{Source: "log", Offset: w.clock * 10}
}

func (p teller) does(w *told, what string) {
	at, sink := p.at(w)
	step := w.steps[p.name]
	switch arg := what[1:]; what[0] {
	case '+', '-':
		for _, c := range what {
			at, sink = p.at(w)
			w.steps[p.name]++
			step = w.steps[p.name]
			p.step(c == '+', at, sink, step)
		}
	case 'w', 'r':
		op := map[byte]string{'w': "wrote", 'r': "read"}[what[0]]
		w.run.Artifacts = append(w.run.Artifacts, evidence.Artifact{At: at, Sink: sink, Op: op, Path: arg, Size: int64(len(arg)), Step: &step, Pid: p.l.Pid, Rank: p.l.Rank})
	case 'R':
		var from float64
		var file, carried string
		file, arg, _ = strings.Cut(arg, "=")
		arg, carried, _ = strings.Cut(arg, "/")
		_, _ = fmt.Sscan(arg, &from)
		w.steps[p.name] = from
		size := int64(len(file))
		r := evidence.Resume{Path: file, Size: &size, Step: &from, Pid: p.l.Pid, Rank: p.l.Rank, At: at, Sink: sink}
		if carried != "" {
			c := evidence.Carried{Optimizer: "adam"}
			_, _ = fmt.Sscanf(carried, "%d,%d", &c.Attempted, &c.Applied)
			r.Carried = append(r.Carried, c)
		}
		w.run.Resumes = append(w.run.Resumes, r)
	case 'e':
		for i := range w.run.Boots {
			if w.run.Boots[i].Pid == p.l.Pid {
				w.run.Boots[i].Ended = true
			}
		}
	}
}

func (p teller) step(applied bool, at evidence.Pos, sink *evidence.Pos, step float64) {
	l := p.l
	l.Attempted++
	if applied {
		l.Applied++
	} else {
		l.Skipped++
		n := l.Attempted
		l.Skips = append(l.Skips, evidence.Skips{At: at, Sink: sink, From: &n, Until: &n, N: 1, InRow: 1, Step: &step, Reason: "found-inf"})
	}
	l.Points = append(l.Points, evidence.StepPoint{At: at, Sink: sink, Step: &step, Attempted: l.Attempted, Applied: l.Applied, Skipped: l.Skipped})
}

// said is what a value at a mark is told of skipped steps.
func said(t *testing.T, run *evidence.Run, offset int64) []string {
	t.Helper()
	table, err := reasonTable()
	require.NoError(t, err)
	j := &judge{ev: &evidence.Evidence{Run: run}, cfg: DefaultConfig(), t: table, lines: newLineage(run)}
	row := evidence.Row{First: evidence.Pos{Source: "log", Offset: offset}}
	var out []string
	for _, p := range j.lines.parts {
		if !j.lines.behind(p, &row) {
			continue
		}
		for _, r := range j.byLedger(&p.StepLedger, &row) {
			out = append(out, r.Code+": "+r.Text)
		}
	}
	return out
}

// many repeats a word of a script.
func many(n int, word string) string { return strings.Repeat(word, n) }

func TestAResumedTrainingIsOneLedger(t *testing.T) {
	t.Parallel()
	five := "A:-----" + many(15, "+") + " A:wck/20 A:+++ @a "
	for name, tt := range map[string]struct {
		script string
		want   map[string]string // by mark; empty: nothing is said
		how    string            // of the last join
		gap    string
	}{
		"it goes on from the checkpoint, and what was lost counts for nothing": {
			five + "B:Rck/20=20 @b B:" + many(20, "+") + " @end",
			map[string]string{"a": "5 of 23", "b": "5 of 20", "end": "5 of 40"}, "behind 20 attempted steps of process 100; at least 3 more that were made behind it, and lost", "",
		},
		"skips behind the checkpoint are lost with the steps": {
			"A:" + many(20, "+") + " A:wck/20 A:--- @a B:Rck/20=20 B:" + many(20, "+") + " @end",
			map[string]string{"a": "3 of 23", "end": ""}, "at least 3 more that were made behind it", "",
		},
		"a row of skips goes on over the seam": {
			"A:" + many(298, "+") + "-- A:wck/300 B:Rck/300=300 B:- @end",
			map[string]string{"end": "the last 3 steps before it"}, "", "",
		},
		"from an earlier checkpoint, since the last one is lost": {
			"A:" + many(10, "+") + " A:wck/10 A:" + many(10, "-") + " A:wck/20 B:Rck/10=10 B:" + many(30, "+") + " @end",
			map[string]string{"end": ""}, "behind 10 attempted steps of process 100; at least 10 more", "",
		},
		"killed twice before a checkpoint": {
			five + "B:Rck/20=20 B:---- @b C:Rck/20=20 C:" + many(20, "+") + " @end",
			map[string]string{"b": "9 of 24", "end": "5 of 40"}, "process 102 went on", "",
		},
		"killed twice, each with a checkpoint": {
			five + "B:Rck/20=20 B:++++- B:wck/25 C:Rck/25=25 C:" + many(15, "+") + " @end",
			map[string]string{"end": "6 of 40"}, "behind 25 attempted steps of process 101", "",
		},
		"the trainer's counter was rolled back with the skipped steps": {
			five + "B:Rck/20=15/20,15 B:" + many(20, "+") + " @end",
			map[string]string{"end": "5 of 40"}, "behind 20", "",
		},
		"of another run, whose checkpoint counts": {
			"B:Rold/100=100/100,60 B:" + many(20, "+") + " @end",
			map[string]string{"end": "40 of 120"}, "in no record of this run; the checkpoint counts 100, 60 of them applied", "",
		},
		"of another run, and nothing is said": {
			"B:Rold/100=100 B:" + many(20, "+") + " @end",
			map[string]string{"end": ""}, "in no record of this run", "",
		},
		"the first checkpoint that it finds lies further on than anything seen": {
			five + "B:Rck/40=40 B:" + many(20, "+") + " @end",
			map[string]string{"end": "5 of 43"}, "", "the last step that was seen before it is 23 of process 100: steps up to 40 are in no record",
		},
		"the process says that it stands further on than the file": {
			five + "B:Rck/20=30 B:" + many(20, "+") + " @end",
			map[string]string{"end": "5 of 40"}, "", "ck/20 was written at step 20, and process 101 says that it stands at 30",
		},
		"the writing is in no record, and the file counts": {
			five + "B:Rck/22=17/22,17 B:" + many(18, "+") + " @end",
			map[string]string{"end": "5 of 40"}, "behind 22 attempted steps of process 100; at least 1 more", "",
		},
		"the writing is in no record": {
			five + "B:Rck/22=22 B:" + many(18, "+") + " @end",
			map[string]string{"end": "5 of 40"}, "behind 22 attempted steps of process 100; at least 1 more", "",
		},
		"the file counts steps that nobody saw": {
			five + "B:Rck/40=35/40,35 B:" + many(18, "+") + " @end",
			map[string]string{"end": "5 of 41"}, "", "counts 40 attempted steps, and 23 were seen",
		},
		"the file counts more than its writer": {
			five + "B:Rck/20=20/22,17 B:" + many(20, "+") + " @end",
			map[string]string{"end": "5 of 40"}, "", "counts 22 attempted steps, and process 100 had counted 20",
		},
		"one rank writes for all": {
			"A0:++++ A1:++-- A0:wck/4 B0:Rck/4=4 B1:Rck/4=4 B0:+ B1:+ @end",
			map[string]string{"end": "2 of 5"}, "behind 4 attempted steps", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := strings.ReplaceAll(tt.script, "A0:", "A:")
			script = strings.ReplaceAll(script, "B0:", "B:")
			run, marks := tell(t, script)
			for mark, want := range tt.want {
				got := strings.Join(said(t, run, marks[mark]), "; ")
				if want == "" {
					require.Empty(t, got, mark)
				} else {
					require.Contains(t, got, want, mark)
				}
			}
			l := newLineage(run)
			last := l.parts[len(l.parts)-1]
			require.Contains(t, last.how, tt.how)
			require.Equal(t, tt.gap != "", l.gap(), last.gap)
			require.Contains(t, last.gap, tt.gap)
		})
	}
}

func TestTrainingsThatHaveNothingToDoWithEachOtherStayApart(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script string
		want   map[string]string
	}{
		"one after another": {
			"A:----++++ A:wa/8 A:e @a B:" + many(30, "+") + " B:wb/30 B:e @end", map[string]string{"a": "4 of 8", "end": ""},
		},
		"one that was killed, and another": {
			"A:----++++ @a B:" + many(30, "+") + " @end", map[string]string{"a": "4 of 8", "end": ""},
		},
		"the second is bad": {
			"@before A:" + many(30, "+") + " A:e @a B:----++++ @end", map[string]string{"before": "", "a": "", "end": "4 of 8"},
		},
		"side by side: nobody knows whose value it is": {
			"A:---- B:++++ A:++++ B:++++ @end", map[string]string{"end": "4 of 8"},
		},
		"the second trains the model of the first for something else": {
			"A:----++++ A:wa/8 A:e B:ra/8 B:" + many(30, "+") + " @end", map[string]string{"end": "4 of 8"},
		},
		"the second begins in the middle, and does not say from where": {
			"A:----++++ A:e B:R=8 B:++ @end", map[string]string{"end": "4 of 8"},
		},
		"the first evaluates while the second trains": {
			"A:----++++ B:++++ A:ra/data @end", map[string]string{"end": "4 of 8"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run, marks := tell(t, tt.script)
			if strings.Contains(tt.script, "R=") { // a counter that goes on, and no record of why
				run.Resumes = nil
			}
			for mark, want := range tt.want {
				got := strings.Join(said(t, run, marks[mark]), "; ")
				if want == "" {
					require.Empty(t, got, mark)
				} else {
					require.Contains(t, got, want, mark)
				}
			}
			require.False(t, newLineage(run).gap())
		})
	}
}

func TestACheckpointOfAnotherSizeOrContentIsAGap(t *testing.T) {
	t.Parallel()
	run, _ := tell(t, "A:++++ A:wck/4 B:Rck/4=4 B:++")
	require.False(t, newLineage(run).gap())
	run.Artifacts[0].Sample, run.Resumes[0].Sample = "aa", "bb"
	require.True(t, newLineage(run).gap())
	run.Resumes[0].Sample = "aa"
	require.False(t, newLineage(run).gap())
	*run.Resumes[0].Size = 1
	l := newLineage(run)
	require.True(t, l.gap())
	require.Contains(t, l.parts[1].gap, "is not as process 100 left it")
}

// The process that was killed has no end, and the one that goes on from what it
// recorded stands for it.
func TestAKilledProcessThatWasResumedKeepsTheLevel(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]bool{
		"A:++++ A:wck/4 A:+ B:Rck/4=4 B:++ B:e":    true,
		"A:++++ A:wck/4 A:+ B:++ B:e":              false,
		"A:++++ A:wck/4 A:+ B:Rck/4=4 B:++":        false,
		"A:++++ A:wother/4 A:+ B:Rck/4=4 B:++ B:e": false,
		// killed when the second file was written, and its writing not yet recorded
		"A:++ A:wck/2 A:++ B:Rck/4=4/4,4 B:++ B:e":  true,
		"A:++ A:wck/2 A:++ B:Rck/5=5/5,5 B:++ B:e":  false,
		"A:++++ A:wck/4 A:+ A:e B:Rck/4=4 B:++ B:e": true,
	} {
		run, _ := tell(t, script)
		for i := range run.Boots {
			run.Boots[i].Checks = []string{checkSteps}
		}
		j := &judge{ev: &evidence.Evidence{Run: run}, lines: newLineage(run)}
		require.Equal(t, want, j.guardedFor(run, &evidence.Column{Role: evidence.Series}), script)
	}
}

func TestStepsOfAResumedTrainingCountOnce(t *testing.T) {
	t.Parallel()
	run, _ := tell(t, "A:-----"+many(15, "+")+" A:wck/20 A:+++ B:Rck/20=20 B:"+many(20, "+"))
	j := &judge{ev: &evidence.Evidence{Run: run}, lines: newLineage(run)}
	s := j.recordedSteps()
	require.Equal(t, "5 of 40 attempted optimizer steps skipped, 35 effective, in 2 processes that went on from one another; at least 3 more were lost when a process ended", s.Text)
}
