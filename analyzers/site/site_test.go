package site

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

const contracts = "../../testdata/contracts"

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join(contracts, name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestIDRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringN(1, 20, -1)
		id := ID{Path: part.Draw(t, "path"), Func: part.Draw(t, "func"), Callee: part.Draw(t, "callee"), Ordinal: rapid.IntRange(1, 30).Draw(t, "ordinal")}
		got, err := ParseID(id.String())
		require.NoError(t, err)
		require.Equal(t, id, got)
	})
}

func TestID(t *testing.T) {
	for want, id := range map[string]ID{
		"train.py::Trainer._run_batch::scaler.step":   {"train.py", "Trainer._run_batch", "scaler.step", 1},
		"train.py::Trainer._run_batch::scaler.step#2": {"train.py", "Trainer._run_batch", "scaler.step", 2},
		"a%20b.py::f.<locals>.g::decode":              {"a b.py", "f.<locals>.g", "decode", 1},
		"x.go::(*T[K]).Run::c%23d%3A%3Ae":             {"x.go", "(*T[K]).Run", "c#d::e", 1},
		"eval.py::label::except(OSError,%20E)":        {"eval.py", "label", "except(OSError, E)", 1},
	} {
		require.Equal(t, want, id.String())
	}
	for _, bad := range []string{"", "a", "a::b", "a::b::c::d", "a::b::c#1", "a::b::c#02", "a::b::c#x", "::b::c", "a::b::", "a::b::%2", "a::b::%zz", "a b::c::d", "a::b::%41"} {
		_, err := ParseID(bad)
		require.Error(t, err, bad)
	}
}

func TestStates(t *testing.T) {
	require.True(t, Guarded.Fits(Decode))
	require.False(t, Guarded.Fits(Step))
	require.False(t, Uncounted.Fits(Decode))
	require.True(t, Uncounted.Fits(Implicit))
	require.False(t, Runtime.Fits(Handler))
	require.False(t, Exempt.Fits("dream"))
	require.True(t, Unguarded.Fails() && Uncounted.Fails())
	require.False(t, Exempt.Fails() || Runtime.Fails() || CountedWeak.Fails())
}

func TestInventoryGolden(t *testing.T) {
	inv := Inventory{Root: ".", Commit: "4f6ffc1ad7b6c0e5b8a0d4f4ac5cbf9a6e1a9f60", Sites: []Entry{
		{ID: "train.py::Trainer._run_batch::scaler.step", Kind: Step, State: Runtime, Shape: "0b77de12", File: "train.py", Line: 91, Function: "Trainer._run_batch", Callee: "scaler.step"},
		{ID: "eval.py::evaluate::batch_decode", Kind: Decode, State: Runtime, Shape: "9f3c11ab", File: "eval.py", Line: 40, EndLine: 42, Function: "evaluate", Callee: "batch_decode"},
	}}
	b, err := inv.Encode()
	require.NoError(t, err)
	golden(t, "sites.json", b)
	back, err := DecodeInventory(b)
	require.NoError(t, err)
	require.Equal(t, "eval.py", back.Sites[0].File)
	for _, bad := range []string{`{`, `{"version":2}`, `{"version":1,"sites":[{"id":"x"}]}`, `{"version":1,"sites":[{"id":"a::b::c","kind":"decode","state":"counted","shape":"00000000","line":1}]}`} {
		_, err := DecodeInventory([]byte(bad))
		require.Error(t, err, bad)
	}
}

func TestFindingGolden(t *testing.T) {
	f := Finding{
		Code: "TV201", Severity: Error,
		Message: "a fault raised at batch_decode does not leave this handler: the file is counted as one failed item and the run exits 0",
		At:      Position{File: "eval.py", Line: 40, Column: 9}, End: Position{File: "eval.py", Line: 40, Column: 31},
		Related: []Related{{At: Position{File: "eval.py", Line: 44, Column: 5}, Message: "the handler"}},
		Fixes:   []Fix{{Message: "re-raise faults first", Safe: false, Edits: []Edit{{File: "eval.py", Start: 1210, End: 1210, New: "except trainvet.Fault:\n    raise\n"}}}},
		Site:    "eval.py::evaluate::batch_decode", Shape: "9f3c11ab",
	}
	f.Fingerprint = Fingerprint(f.Code, f.Site, string(f.Shape), 1)
	b, err := json.MarshalIndent(f, "", "  ")
	require.NoError(t, err)
	golden(t, "finding.json", append(b, '\n'))
	require.NotEqual(t, Fingerprint("TV1", "a", "b", 1), Fingerprint("TV1", "a", "b", 2))
	require.NotEqual(t, Fingerprint("TV1", "ab", "", 1), Fingerprint("TV1", "a", "b", 1))
}

func TestSortIsByPlace(t *testing.T) {
	list := []Finding{{Code: "B", At: Position{File: "b", Line: 1}}, {Code: "C", At: Position{File: "a", Line: 9}}, {Code: "A", At: Position{File: "a", Line: 9}}, {Code: "D", At: Position{File: "a", Line: 2}}}
	Sort(list)
	var codes string
	for _, f := range list {
		codes += f.Code
	}
	require.Equal(t, "DACB", codes)
}
