package record_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/trainvet/trainvet/guards/record"
)

// A writer opens its file at the first record, and the boot record goes first.
func ExampleWriter() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	w := record.NewWriter(dir, func(why string) []record.Body {
		return []record.Body{&record.Boot{Lang: "go", Why: why, LocalRank: record.None, Checks: []string{"steps"}}}
	})
	w.Write(record.None, &record.Step{Optimizer: "SGD", Step: 1, Attempted: 1, Applied: 1, How: "trainer"})
	w.Close(record.None, "close", 0)

	names, _ := filepath.Glob(filepath.Join(dir, record.Folder, "*.jsonl"))
	f, err := os.Open(names[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	for r := record.NewReader(f); ; {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		fmt.Println(e.Record.Seq, e.Record.Type)
	}
	// Output:
	// 1 boot
	// 2 step
	// 3 end
}

// Where the disk is full the trainer goes on, and Close says what is missing.
func ExampleLossError() {
	w := record.NewWriter("no such folder", func(string) []record.Body { return nil })
	w.Write(record.None, &record.Metric{Name: "loss"})
	var lost *record.LossError
	if errors.As(w.Close(record.None, "close", 0), &lost) {
		fmt.Println(lost.Lost, "lost:", errors.Is(lost, os.ErrNotExist))
	}
	// Output: 2 lost: true
}

// A reader names each byte that is no record.
func ExampleReader() {
	head := record.Head{Pid: 4242, Rank: record.None, Seq: 1}
	line := record.Append(nil, head, &record.Metric{Name: "loss", Value: 0.5, N: 32, Good: record.None, Step: 10})
	torn := string(line) + string(line[:40])
	for r := record.NewReader(strings.NewReader(torn)); ; {
		e, err := r.Next()
		if err != nil {
			break
		}
		if e.Issue != nil {
			fmt.Println(e.Issue.Kind, e.Issue.Length, "bytes")
			continue
		}
		m := e.Record.Body.(*record.Metric)
		fmt.Println(m.Name, m.Value, "from", m.N)
	}
	// Output:
	// loss 0.5 from 32
	// torn 40 bytes
}

// The table says what a code means for an error and for a metric.
func ExampleGrade() {
	grades, err := record.Grades()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range grades {
		if g.Code == "ids-signature" {
			fmt.Println(g.Class, g.Effect)
		}
	}
	// Output: fault poison
}
