package schema

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/internal/report"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

var update = flag.Bool("update", false, "write the schemas and the golden files of evidence and result anew")

const contracts = "../../testdata/contracts"

// contract is a schema, the type behind it and its golden instance.
type contract struct {
	name, title string
	of          reflect.Type
	closing     string // key that the writer adds: digest, crc
	golden      string
	lines       bool // one instance a line
}

func list() []contract {
	return []contract{
		{"manifest", "manifest.json of a run directory", reflect.TypeFor[rundir.Manifest](), "digest", contracts + "/manifest.json", false},
		{"sidecar", "a line of sidecar.jsonl of a run directory", reflect.TypeFor[rundir.Event](), "crc", contracts + "/sidecar.jsonl", true},
		{"trailer", "trailer.json of a run directory", reflect.TypeFor[rundir.Trailer](), "digest", contracts + "/trailer.json", false},
		{"receipt", "receipt.json: verdicts with the digests of their evidence", reflect.TypeFor[rundir.Receipt](), "digest", contracts + "/receipt.json", false},
		{"sites", "sites.json: the sites of a tree with their present lines", reflect.TypeFor[site.Inventory](), "", contracts + "/sites.json", false},
		{"finding", "a finding of trainvet vet", reflect.TypeFor[site.Finding](), "", contracts + "/finding.json", false},
		{"machine", "a state file of a machine or device", reflect.TypeFor[machine.State](), "", contracts + "/machine-device.json", false},
		{"evidence", "what the sources of one run say", reflect.TypeFor[evidence.Evidence](), "", contracts + "/evidence.json", false},
		{"vet", "what stands in a tree: vet --format json", reflect.TypeFor[report.Vetted](), "", "../../internal/report/testdata/findings.json", false},
		{"result", "what can be said of a run: audit --format json", reflect.TypeFor[verdict.Result](), "", contracts + "/result.json", false},
	}
}

func (c contract) generate(t *testing.T) []byte {
	g := newGenerator(t)
	root := g.structure(c.of)
	if c.closing != "" {
		root = closedBy(root, c.closing)
	}
	return g.document(c.name, c.title, root)
}

// closedBy adds the key that a writer adds behind the type's own.
func closedBy(root object, key string) object {
	out := object{}
	for _, m := range root {
		switch v := m.value.(type) {
		case object:
			if m.key == "properties" {
				m.value = append(v, member{key, object{{"description", closings[key]}, {"type", "string"}}})
			}
		case []string:
			if m.key == "required" {
				m.value = append(v, key)
			}
		}
		out = append(out, m)
	}
	return out
}

var closings = map[string]string{
	"digest": "SHA-256 of all bytes of the file before the comma that precedes this key",
	"crc":    "CRC-32 (IEEE) of all bytes of the line before the comma that precedes this key, 8 lower-case hex digits",
}

// recordSchema is written by type, since a record's data depends on it.
func recordSchema(t *testing.T) []byte {
	g := newGenerator(t)
	needed := map[string]bool{"Fault.code": true, "Fault.effect": true, "Fault.scope": true, "Finding.code": true, "Finding.effect": true, "Finding.scope": true,
		"Skip.n": true, "Resume.path": true, "Metric.name": true, "Metric.value": true, "Artifact.op": true, "Count.check": true, "Sink.dev": true, "Sink.ino": true, "Sink.off": true}
	g.required = func(t reflect.Type, f reflect.StructField) bool { return needed[t.Name()+"."+f.Tag.Get("json")] }
	var forms []object
	for _, b := range []struct {
		kind record.Type
		body any
	}{
		{record.TypeBoot, record.Boot{}}, {record.TypeChild, record.Child{}}, {record.TypeSite, record.Site{}}, {record.TypeCount, record.Count{}},
		{record.TypeFault, record.Fault{}}, {record.TypeFinding, record.Finding{}}, {record.TypeStep, record.Step{}}, {record.TypeSkip, record.Skip{}},
		{record.TypeMetric, record.Metric{}}, {record.TypeArtifact, record.Artifact{}}, {record.TypeProbe, record.Probe{}}, {record.TypeHeld, record.Held{}}, {record.TypeResume, record.Resume{}}, {record.TypeEnd, record.End{}},
	} {
		forms = append(forms, object{{"properties", object{{"type", object{{"const", string(b.kind)}}}, {"data", g.of(reflect.TypeOf(b.body))}}}})
	}
	integer := func(doc string) object { return object{{"description", doc}, {"type", "integer"}, {"minimum", 0}} }
	root := object{
		{"description", "A key that is missing from data is not known, or empty."},
		{"type", "object"},
		{"properties", object{
			{"v", object{{"const", record.Version}}},
			{"type", object{{"type", "string"}}},
			{"wall", integer("Unix nanoseconds")},
			{"mono", integer("nanoseconds of the machine's monotonic clock")},
			{"pid", integer("of the process that wrote the record, in its own namespace")},
			{"rank", integer("missing: not known, or not distributed")},
			{"seq", integer("1 for the first record of the process, no holes")},
			{"sink", g.of(reflect.TypeFor[record.Sink]())},
			{"data", object{{"type", "object"}}},
			{"crc", object{{"description", closings["crc"]}, {"type", "string"}}},
		}},
		{"required", []string{"v", "type", "wall", "mono", "pid", "seq", "data", "crc"}},
		{"anyOf", forms},
	}
	return g.document("record", "a line of a run record", root)
}

func TestSchemasAreThoseOfTheTypes(t *testing.T) {
	generated := map[string][]byte{"record": recordSchema(t)}
	for _, c := range list() {
		generated[c.name] = c.generate(t)
	}
	for name, got := range generated {
		path := name + ".schema.json"
		if *update {
			require.NoError(t, os.WriteFile(path, got, 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "a contract changed: go test ./docs/schema -update, and say why")
	}
	entries, err := filepath.Glob("*.schema.json")
	require.NoError(t, err)
	require.Len(t, entries, len(generated))
}

func parse(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return v
}

// TestEvidenceAndResultGolden: every field of both types has a value of its
// own in the golden file, so that a field cannot come, go or change its name
// without it, and survives the way there and back.
func TestEvidenceAndResultGolden(t *testing.T) {
	g := newGenerator(t)
	for _, c := range list() {
		if c.name != "evidence" && c.name != "result" {
			continue
		}
		full := reflect.New(c.of)
		g.fill(full.Elem(), "")
		got, err := json.MarshalIndent(full.Interface(), "", "  ")
		require.NoError(t, err)
		got = append(got, '\n')
		if *update {
			require.NoError(t, os.WriteFile(c.golden, got, 0o644))
		}
		want, err := os.ReadFile(c.golden)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "the contract %s changed: go test ./docs/schema -update, and say why", c.name)
		back := reflect.New(c.of)
		require.NoError(t, json.Unmarshal(want, back.Interface()))
		require.Equal(t, full.Interface(), back.Interface())
	}
}

// TestGoldenFilesAreValid, and stop being so without any one required key.
func TestGoldenFilesAreValid(t *testing.T) {
	files := append(list(), contract{name: "record", golden: "../../guards/record/testdata/record-v1.jsonl", lines: true})
	for _, c := range files {
		t.Run(c.name, func(t *testing.T) {
			text, err := os.ReadFile(c.name + ".schema.json")
			require.NoError(t, err)
			root := parse(t, text).(map[string]any)
			v := validator{root}
			golden, err := os.ReadFile(c.golden)
			require.NoError(t, err)
			instances := [][]byte{golden}
			if c.lines {
				instances = bytes.Split(bytes.TrimSpace(golden), []byte("\n"))
			}
			for _, in := range instances {
				value := parse(t, in).(map[string]any)
				require.NoError(t, v.check(root, value, ""))
				for _, key := range root["required"].([]any) {
					kept := value[key.(string)]
					delete(value, key.(string))
					require.Error(t, v.check(root, value, ""), key)
					value[key.(string)] = json.RawMessage{}
					require.Error(t, v.check(root, value, ""), key)
					value[key.(string)] = kept
				}
			}
		})
	}
}

// fill gives every field a value: numbers 1, texts their own name, words the
// first that there is.
func (g *generator) fill(v reflect.Value, name string) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		g.fill(v.Elem(), name)
	case reflect.Struct:
		for i := range v.NumField() {
			g.fill(v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		g.fill(v.Index(0), name)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		elem := reflect.New(v.Type().Elem()).Elem()
		g.fill(elem, name)
		v.SetMapIndex(reflect.ValueOf("key"), elem)
	case reflect.String:
		v.SetString(name)
		if src := g.load(v.Type()); src != nil && len(src.consts[v.Type().Name()]) > 0 {
			v.SetString(src.consts[v.Type().Name()][0])
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint16, reflect.Uint64:
		v.SetUint(1)
	default:
		g.t.Fatalf("no value for %s", v.Type())
	}
}
