package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func readAll(t *testing.T, b []byte) (recs []Record, issues []Entry) {
	t.Helper()
	r := NewReader(bytes.NewReader(b))
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return recs, issues
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Issue != nil {
			issues = append(issues, e)
		} else {
			recs = append(recs, *e.Record)
		}
	}
}

// TestGolden holds the line form of version 1: whoever changes it changes the
// file, and with it every writer there is.
func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "record-v1.jsonl")
	got := encodeAll(samples())
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the encoder writes\n%s\nthe golden file says\n%s", got, want)
	}
	recs, issues := readAll(t, want)
	if len(issues) > 0 {
		t.Fatalf("issue in the golden file: %+v", *issues[0].Issue)
	}
	if g, w := fmt.Sprintf("%+v", dump(recs)), fmt.Sprintf("%+v", dump(samples())); g != w {
		t.Errorf("read back\n%s\nwant\n%s", g, w)
	}
}

// dump makes NaN comparable and follows the pointers.
func dump(recs []Record) []string {
	out := make([]string, len(recs))
	for i, r := range recs {
		out[i] = fmt.Sprintf("%s %+v %+v %+v", r.Type, r.Head.Sink, reflect.ValueOf(r.Body).Elem(), r.Seq)
		if r.Sink != nil {
			out[i] = strings.Replace(out[i], fmt.Sprintf("%p", r.Sink), fmt.Sprint(*r.Sink), 1)
		}
	}
	return out
}

// TestKeysAreTheStructsTags: the encoder is written by hand, the decoder reads
// tags; no field is lost between them.
func TestKeysAreTheStructsTags(t *testing.T) {
	for _, r := range samples() {
		fill(reflect.ValueOf(r.Body).Elem())
		var l line
		if err := json.Unmarshal(Append(nil, r.Head, r.Body), &l); err != nil {
			t.Fatal(err)
		}
		back := newBody(r.Type)
		if err := json.Unmarshal(l.Data, back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, r.Body) {
			t.Errorf("%s: wrote %+v, read %+v", r.Type, r.Body, back)
		}
	}
}

// fill gives every field a value of its own.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch f.Kind() {
		case reflect.String:
			f.SetString(v.Type().Field(i).Name)
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(i + 1000))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Float64:
			f.SetFloat(float64(i) + 0.5)
		case reflect.Slice:
			s := reflect.MakeSlice(f.Type(), 2, 2)
			for j := range 2 {
				if s.Index(j).Kind() == reflect.String {
					s.Index(j).SetString(fmt.Sprint("item", j))
				} else {
					fill(s.Index(j))
				}
			}
			f.Set(s)
		}
	}
}

func TestPythonWritesWhatGoReads(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on PATH")
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if out, err := exec.Command(python, filepath.Join("testdata", "write_record.py"), path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	recs, issues := readAll(t, b)
	if len(issues) > 0 {
		t.Fatalf("%+v", *issues[0].Issue)
	}
	if len(recs) != 11 {
		t.Fatalf("%d records, want 11", len(recs))
	}
	if got := recs[0].Body.(*Boot).Argv[1]; got != "ä \"quoted\" \u2028 \x1b[31m 😀" {
		t.Errorf("argv came back as %q", got)
	}
	if got := recs[1].Body.(*Fault).Value; got != "72340172838076673" {
		t.Errorf("id came back as %s", got)
	}
	want := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0.1, 1e-300, 1e22, math.Copysign(0, -1), 12.5}
	for i, w := range want {
		m := recs[i+2].Body.(*Metric)
		if g := float64(m.Value); math.Float64bits(g) != math.Float64bits(w) && !(math.IsNaN(g) && math.IsNaN(w)) {
			t.Errorf("value %d came back as %v, want %v", i, g, w)
		}
		if m.Step != 1<<53+1 {
			t.Errorf("step came back as %d", m.Step)
		}
		if m.Good != None || m.N != 37 {
			t.Errorf("n %d, good %d", m.N, m.Good)
		}
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 4096)
	h := Head{Wall: 1, Mono: 2, Pid: 3, Rank: None, Seq: 4, Sink: &Sink{1, 2, 3}}
	step := &Step{Optimizer: "AdamW", Step: 12, Attempted: 12, Applied: 12}
	metric := &Metric{Name: "loss", Value: 0.5, N: None, Good: None, Step: 12}
	count := &Count{Check: "decode", Site: 1, Calls: 4, Tally: []Tally{{"fill", 1}}}
	if n := testing.AllocsPerRun(100, func() {
		buf = Append(buf[:0], h, step)
		buf = Append(buf[:0], h, metric)
		buf = Append(buf[:0], h, count)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestLinesStayBelowTheReadersLimit: whatever a trainer hands in.
func TestLinesStayBelowTheReadersLimit(t *testing.T) {
	huge := strings.Repeat("\x00", 1<<21)
	list := make([]string, 5000)
	for i := range list {
		list[i] = huge
	}
	b := &Boot{Run: huge, Host: huge, BootID: huge, Lang: huge, Runtime: huge, Guards: huge, Argv: list, Why: huge, Checks: list}
	for range 5000 {
		b.Frameworks = append(b.Frameworks, Software{huge, huge})
		b.Off = append(b.Off, NotLive{huge, huge})
	}
	line := Append(nil, Head{Pid: 1, Seq: 1, Rank: None}, b)
	if len(line) > MaxLine {
		t.Errorf("a line of %d bytes", len(line))
	}
	recs, issues := readAll(t, line)
	if len(recs) != 1 || len(issues) != 0 {
		t.Errorf("%d records, %d issues", len(recs), len(issues))
	}
}

func TestInvalidUTF8BecomesText(t *testing.T) {
	line := Append(nil, Head{Pid: 1, Seq: 1, Rank: None}, &Artifact{Op: "wrote", Path: "a\xff\x80b"})
	recs, issues := readAll(t, line)
	if len(issues) != 0 || recs[0].Body.(*Artifact).Path != "a��b" {
		t.Errorf("%q %v", line, issues)
	}
}

func TestGrades(t *testing.T) {
	grades, err := Grades()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	effects := map[Class][]Effect{
		ClassFault:   {Poison},
		ClassQuality: {Poison, Unprove, Degrade, Note},
		ClassDoubt:   {Unprove, Note},
		ClassHook:    {Note},
		ClassFine:    {Silent, Note}, // a fact that is told and no finding
	}
	for _, g := range grades {
		if seen[g.Code] || g.Text == "" {
			t.Errorf("%s: comes twice or has no text", g.Code)
		}
		seen[g.Code] = true
		ok := false
		for _, e := range effects[g.Class] {
			ok = ok || e == g.Effect
		}
		if !ok {
			t.Errorf("%s: class %s cannot have the effect %s", g.Code, g.Class, g.Effect)
		}
	}
	for _, r := range samples() {
		if f, ok := r.Body.(*Finding); ok && !seen[f.Code] {
			t.Errorf("sample code %s is no grade", f.Code)
		}
	}
}
