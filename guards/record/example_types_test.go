package record_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/trainvet/trainvet/guards/record"
)

// aRun is the record of a small training, a body of each type: a process that
// started a data loader, trained four steps of five and met a fault.
func aRun() []record.Body {
	const none = record.None
	return []record.Body{
		&record.Boot{Run: "r1", Lang: "go", Why: "event", LocalRank: none, Checks: []string{"decode", "steps"},
			Frameworks: []record.Software{{Name: "gomlx", Version: "v0.20.0"}},
			Off:        []record.NotLive{{Check: "finite", Why: "not in use so far"}}},
		&record.Child{Pid: 4243, How: "exec", Argv: []string{"loader"}},
		&record.Probe{Name: "matmul", Device: "GPU-5f2c", Passed: true, Text: "bit for bit as on the CPU"},
		&record.Site{Site: 1, Kind: "decode", Name: "evaluate", Vocab: 50257, Width: 50304, Bound: "tokenizer.json, rows of wte", Live: true},
		&record.Skip{Optimizer: "adam", From: 1, Until: 1, Count: 1, Step: 1, Reason: "found-inf", Scale: 65536, Scaled: true, Total: 1},
		&record.Finding{Code: "gradient-spike", Class: record.ClassQuality, Effect: record.Note, Scope: "process", From: 4, Until: 4, Name: "norm"},
		&record.Step{Optimizer: "adam", Step: 5, Planned: 5, Attempted: 5, Applied: 4, Skipped: 1, How: "found-inf"},
		&record.Fault{Code: "ids-signature", Effect: record.Poison, Scope: "process", Site: 1, Value: "16843009", Row: 3, Column: 7,
			Step: 5, From: 5, Until: none},
		&record.Metric{Name: "loss", Value: record.Float(math.NaN()), Split: "val", N: 64, Good: none, Step: 5, Taint: "ids-signature", From: "trainer"},
		&record.Artifact{Op: "wrote", Path: "model.bin", Size: none, Step: 5, Kind: "checkpoint", Taint: "ids-signature"},
		&record.Count{Check: "decode", Site: 1, Calls: 20, Values: 8960, Tally: []record.Tally{{Name: "fill", N: 12}, {Name: "bad", N: 1}}},
		&record.Held{Code: "replicas-differ", Effect: record.Degrade, Group: "the parameters, ranks 0,1", Member: "rank 0", Expect: record.ExpectEqual,
			Text: "the parameters", Items: []record.HeldItem{{Step: 5, Value: "5f0e"}}},
		&record.Resume{Path: "model.bin", Size: none, Step: 5, Carried: []record.Carried{{Optimizer: "adam", Attempted: 5, Applied: 4}}},
		&record.End{Why: "close"},
	}
}

// encoded is the file of such a process: a head before each body, numbered from
// 1, and the place at which the captured output stood.
func encoded(bodies []record.Body) (file []byte) {
	for i, b := range bodies {
		h := record.Head{Pid: 4242, Rank: 0, Seq: uint64(i + 1), Sink: &record.Sink{Device: 2049, Inode: 77, Offset: int64(100 * i)}}
		file = record.Append(file, h, b)
	}
	return file
}

// read hands out each entry of a file: a record, or an issue.
func read(file []byte, each func(record.Entry)) {
	for r := record.NewReader(bytes.NewReader(file)); ; {
		e, err := r.Next()
		if err != nil {
			return // io.EOF, since the bytes lie in memory
		}
		each(e)
	}
}

// A record file holds what a process did, a line each.
func ExampleRecord() {
	read(encoded(aRun()), func(e record.Entry) {
		fmt.Println(e.Line, e.Record.Type, told(e.Record))
	})
	// Output:
	// 1 boot checks decode steps, with gomlx; not live: finite
	// 2 child 4243 by exec
	// 3 probe matmul of GPU-5f2c passed: true
	// 4 site evaluate: 50257 ids in 50304 columns
	// 5 skip adam, attempts 1 to 1 at scale 65536
	// 6 finding quality gradient-spike of norm: note
	// 7 step 4 of 5 applied
	// 8 fault ids-signature 16843009 at sample 3, place 7: poison
	// 9 metric loss NaN from 64, behind ids-signature
	// 10 artifact wrote model.bin, behind ids-signature
	// 11 count decode of 8960 ids: 12 fill, 1 bad
	// 12 held rank 0: the parameters at step 5 is 5f0e; equal on all
	// 13 resume from model.bin at step 5, behind 4 of 5 steps of adam
	// 14 end by close when the output had 1300 bytes
}

// told says what is in a record; the head is the record's own.
func told(r *record.Record) string {
	switch b := r.Body.(type) {
	case *record.Held:
		it := b.Items[0]
		return fmt.Sprintf("%s: %s at step %d is %s; %s on all", b.Member, b.Text, it.Step, it.Value, b.Expect)
	case *record.Resume:
		c := b.Carried[0]
		return fmt.Sprintf("from %s at step %d, behind %d of %d steps of %s", b.Path, b.Step, c.Applied, c.Attempted, c.Optimizer)
	case *record.Boot:
		return fmt.Sprintf("checks %s %s, with %s; not live: %s", b.Checks[0], b.Checks[1], b.Frameworks[0].Name, b.Off[0].Check)
	case *record.Child:
		return fmt.Sprintf("%d by %s", b.Pid, b.How)
	case *record.Probe:
		return fmt.Sprintf("%s of %s passed: %t", b.Name, b.Device, b.Passed)
	case *record.Site:
		return fmt.Sprintf("%s: %d ids in %d columns", b.Name, b.Vocab, b.Width)
	case *record.Skip:
		return fmt.Sprintf("%s, attempts %d to %d at scale %v", b.Optimizer, b.From, b.Until, b.Scale)
	case *record.Finding:
		return fmt.Sprintf("%s %s of %s: %s", b.Class, b.Code, b.Name, b.Effect)
	case *record.Step:
		return fmt.Sprintf("%d of %d applied", b.Applied, b.Attempted)
	case *record.Fault:
		return fmt.Sprintf("%s %s at sample %d, place %d: %s", b.Code, b.Value, b.Row, b.Column, b.Effect)
	case *record.Metric:
		return fmt.Sprintf("%s %v from %d, behind %s", b.Name, b.Value, b.N, b.Taint)
	case *record.Artifact:
		return fmt.Sprintf("%s %s, behind %s", b.Op, b.Path, b.Taint)
	case *record.Count:
		return fmt.Sprintf("%s of %d ids: %d %s, %d %s", b.Check, b.Values, b.Tally[0].N, b.Tally[0].Name, b.Tally[1].N, b.Tally[1].Name)
	case *record.End:
		return fmt.Sprintf("by %s when the output had %d bytes", b.Why, r.Sink.Offset)
	}
	return "of a later version"
}

// A file that was damaged is still read to its end: what is wrong is said where
// it stands.
func ExampleIssue() {
	file := encoded(aRun())
	second := bytes.IndexByte(file, '\n') + 1
	file[second+20] ^= 1 // one bit of the second line
	types := map[record.Type]int{}
	read(file, func(e record.Entry) {
		if e.Issue != nil {
			fmt.Println("line", e.Line, complaint(e.Issue))
			return
		}
		types[e.Record.Type]++
	})
	fmt.Println(types[record.TypeChild], "child,", types[record.TypeProbe], "probe")
	// Output:
	// line 2 damaged: 190 bytes
	// line 3 gap: 1 lost
	// 0 child, 1 probe
}

func complaint(i *record.Issue) string {
	what := map[record.IssueKind]string{
		record.Damaged: fmt.Sprint(i.Length, " bytes"),
		record.Gap:     fmt.Sprint(i.Lost, " lost"),
	}
	return string(i.Kind) + ": " + what[i.Kind]
}

// What JSON numbers cannot say is kept as a string.
func ExampleFloat() {
	for _, f := range []record.Float{0.5, record.Float(math.NaN()), record.Float(math.Inf(-1))} {
		b, err := f.MarshalJSON()
		fmt.Println(string(b), err)
	}
	// Output:
	// 0.5 <nil>
	// "nan" <nil>
	// "-inf" <nil>
}

// The class of a grade says whose error it is, its effect what it does to a
// metric: the worst that each class can do.
func ExampleClass() {
	grades, err := record.Grades()
	if err != nil {
		fmt.Println(err)
		return
	}
	worst := map[record.Class]record.Effect{}
	for _, g := range grades {
		if outweighs(g, worst[g.Class]) {
			worst[g.Class] = g.Effect
		}
	}
	fmt.Println("a fault:", worst[record.ClassFault])
	fmt.Println("bad training:", worst[record.ClassQuality])
	fmt.Println("a doubt:", worst[record.ClassDoubt])
	// Output:
	// a fault: poison
	// bad training: poison
	// a doubt: unprove
}

func outweighs(g record.Grade, than record.Effect) bool {
	order := []record.Effect{record.Silent, record.Note, record.Degrade, record.Unprove, record.Poison}
	return slices.Index(order, g.Effect) > slices.Index(order, than)
}
