package record

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func kinds(issues []Entry) []IssueKind {
	out := make([]IssueKind, 0, len(issues))
	for _, e := range issues {
		out = append(out, e.Issue.Kind)
	}
	return out
}

func stepLine(pid int, seq uint64) string {
	return string(Append(nil, Head{Pid: pid, Seq: seq, Rank: None}, &Step{Optimizer: "SGD", Step: None}))
}

func sealed(object string) string {
	return string(AppendCRC([]byte(strings.TrimSuffix(object, "}")), 0))
}

func TestReaderReports(t *testing.T) {
	const head = `{"v":1,"wall":1,"mono":1,"pid":1,"seq":1,`
	tests := []struct {
		name    string
		in      string
		records int
		want    []IssueKind
	}{
		{"empty file", "", 0, nil},
		{"one record", stepLine(1, 1), 1, nil},
		{"torn last line", stepLine(1, 1) + stepLine(1, 2)[:40], 1, []IssueKind{Torn}},
		{"whole last line without its line feed", stepLine(1, 1) + strings.TrimSuffix(stepLine(1, 2), "\n"), 1, []IssueKind{Torn}},
		{"a cut write and the next record behind it", stepLine(1, 1)[:50] + stepLine(1, 2), 1, []IssueKind{Damaged, Gap}},
		{"two records without a line feed between", strings.TrimSuffix(stepLine(1, 1), "\n") + stepLine(1, 2), 1, []IssueKind{Damaged, Gap}},
		{"missing record", stepLine(1, 1) + stepLine(1, 4), 2, []IssueKind{Gap}},
		{"missing first record", stepLine(1, 2), 1, []IssueKind{Gap}},
		{"record twice", stepLine(1, 1) + stepLine(1, 1), 2, []IssueKind{Repeated}},
		{"records exchanged", stepLine(1, 1) + stepLine(1, 3) + stepLine(1, 2), 3, []IssueKind{Gap, Repeated}},
		{"two processes", stepLine(1, 1) + stepLine(2, 1) + stepLine(1, 2) + stepLine(2, 2), 4, []IssueKind{Interleaved}},
		{"record behind the end", string(Append(nil, Head{Pid: 1, Seq: 1, Rank: None}, &End{})) + stepLine(1, 2), 2, []IssueKind{AfterEnd}},
		{"empty line", "\n" + stepLine(1, 1), 1, []IssueKind{Damaged}},
		{"text", "hello\n", 0, []IssueKind{Damaged}},
		{"wrong CRC", strings.Replace(stepLine(1, 1), "SGD", "SGE", 1), 0, []IssueKind{Damaged}},
		{"CRC in capitals", "{\"v\":1,\"crc\":\"FFFFFFFF\"}\n", 0, []IssueKind{Damaged}},
		{"long line", strings.Repeat("x", MaxLine+5) + "\n" + stepLine(1, 1), 1, []IssueKind{Oversized}},
		{"long last line", stepLine(1, 1) + strings.Repeat("x", 3*MaxLine), 1, []IssueKind{Oversized}},
		{"version 2", sealed(`{"v":2,"type":"step","pid":1,"seq":1}`), 0, []IssueKind{NewVersion}},
		{"unknown type", sealed(head + `"type":"dream","data":{}}`), 0, []IssueKind{UnknownType}},
		{"no pid", sealed(`{"v":1,"type":"end","wall":1,"mono":1,"seq":1,"data":{}}`), 0, []IssueKind{Invalid}},
		{"no data", sealed(head + `"type":"end"}`), 0, []IssueKind{Invalid}},
		{"data null", sealed(head + `"type":"end","data":null}`), 0, []IssueKind{Invalid}},
		{"not JSON", sealed(`{"v":1,}`), 0, []IssueKind{Invalid}},
		{"finding without effect", sealed(head + `"type":"finding","data":{"code":"x","scope":"node"}}`), 0, []IssueKind{Invalid}},
		{"finding with an effect of the future", sealed(head + `"type":"finding","data":{"code":"x","effect":"explode","scope":"node"}}`), 0, []IssueKind{Invalid}},
		{"finding with a code of the future", sealed(head + `"type":"finding","data":{"code":"x-new","effect":"poison","scope":"node"}}`), 1, nil},
		{"number out of range", sealed(head + `"type":"metric","data":{"name":"loss","value":1e999}}`), 0, []IssueKind{Invalid}},
		{"unknown keys", sealed(head + `"type":"end","color":1,"data":{"mood":"fine"}}`), 1, nil},
		{"invalid record keeps its place in the sequence", sealed(head+`"type":"dream","data":{}}`) + stepLine(1, 2), 1, []IssueKind{UnknownType}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			recs, issues := readAll(t, []byte(tt.in))
			if len(recs) != tt.records || !slices.Equal(kinds(issues), tt.want) {
				t.Errorf("%d records and %v, want %d and %v", len(recs), kinds(issues), tt.records, tt.want)
			}
		})
	}
}

// TestEveryFlippedByteIsSeen: no bit of a record file can change in silence.
func TestEveryFlippedByteIsSeen(t *testing.T) {
	whole := encodeAll(samples())
	for i := range whole {
		for _, bit := range []byte{1, 0x20, 0x80} {
			b := bytes.Clone(whole)
			b[i] ^= bit
			if _, issues := readAll(t, b); len(issues) == 0 {
				t.Fatalf("byte %d xor %#x: nothing reported", i, bit)
			}
		}
	}
}

// TestEveryRemovedRecordIsSeen: but for the last ones, which only a trailer can miss.
func TestEveryRemovedRecordIsSeen(t *testing.T) {
	recs := samples()
	for i := range len(recs) - 1 {
		rest := slices.Delete(slices.Clone(recs), i, i+1)
		if _, issues := readAll(t, encodeAll(rest)); !slices.Equal(kinds(issues), []IssueKind{Gap}) {
			t.Errorf("without record %d: %v", i+1, kinds(issues))
		}
	}
}

func TestReadErrorIsReturnedAfterWhatWasRead(t *testing.T) {
	broken := errors.New("input/output error")
	r := NewReader(io.MultiReader(strings.NewReader(stepLine(1, 1)+"part"), failing{broken}))
	for _, want := range []bool{true, false} {
		e, err := r.Next()
		if err != nil || (e.Record != nil) != want {
			t.Fatalf("%+v %v", e, err)
		}
	}
	if _, err := r.Next(); !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzReader(f *testing.F) {
	whole := encodeAll(samples())
	f.Add(whole[:bytes.IndexByte(whole, '\n')+1])
	f.Add([]byte(stepLine(1, 1) + stepLine(1, 2)[:60]))
	f.Add([]byte(stepLine(1, 1)[:50] + stepLine(1, 2) + stepLine(3, 9)))
	f.Add([]byte(sealed(`{"v":1,"type":"boot","wall":1,"mono":1,"pid":1,"seq":18446744073709551615,"data":{}}`)))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := NewReader(bytes.NewReader(in))
		var reached int64
		for {
			e, err := r.Next()
			if err != nil {
				break
			}
			if (e.Record == nil) == (e.Issue == nil) {
				t.Fatalf("an entry that is not one thing: %+v", e)
			}
			// No stretch stays unnamed between two entries but line feeds.
			if e.Offset > reached+1 {
				t.Fatalf("bytes %d to %d were skipped", reached, e.Offset)
			}
			if i := e.Issue; i != nil {
				reached = max(reached, e.Offset+i.Length)
			} else {
				end := bytes.Index(in[e.Offset:], []byte(`"}`))
				reached = max(reached, e.Offset+int64(recordLength(in[e.Offset:], end)))
			}
		}
		if int64(len(in)) > reached+1 {
			t.Fatalf("%d bytes, read up to %d", len(in), reached)
		}
	})
}

// recordLength finds the end of the record that in starts with.
func recordLength(in []byte, from int) int {
	for from >= 0 {
		if CheckCRC(in[:from+2]) {
			return from + 2
		}
		next := bytes.Index(in[from+1:], []byte(`"}`))
		if next < 0 {
			break
		}
		from += 1 + next
	}
	return len(in)
}

func FuzzAppend(f *testing.F) {
	f.Add("loss", 0.1, int64(72340172838076673), "text \" \\ \x00 \xff")
	f.Fuzz(func(t *testing.T, name string, value float64, n int64, text string) {
		b := Append(nil, Head{Wall: n, Mono: n, Pid: 1, Rank: None, Seq: 1}, &Metric{Name: "m" + name, Value: Float(value), N: n, Step: n, From: text})
		recs, issues := readAll(t, b)
		if len(recs) != 1 || len(issues) != 0 || bytes.Count(b, []byte("\n")) != 1 {
			t.Fatalf("%q: %v", b, kinds(issues))
		}
		m := recs[0].Body.(*Metric)
		if m.N != n || m.Step != n || (float64(m.Value) != value && value == value) {
			t.Fatalf("%+v", m)
		}
	})
}
