package tolerant_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
)

// FuzzTolerant holds the tokenizer against encoding/json: what that accepts is
// read to the same value; what it refuses ends in a clean end or a typed error.
func FuzzTolerant(f *testing.F) {
	for _, s := range []string{
		`{"loss": 1.5, "id": 72340172838076673, "s": "a\u00e9\ud83d\ude00\n"}`, `[NaN, Infinity, -Infinity]`,
		`{"a": {"a": [1, 2, {"b": null}]}, "a": true}`, `[1, 2,]`, "\xef\xbb\xbf[]", `{"a`, `1e5`, `"x"`, `{'a': None}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := tolerant.NewReader(bytes.NewReader(data), tolerant.Limits{})
		v, err := r.ReadValue()
		if err == nil {
			_, err = r.Next()
		}
		if !json.Valid(data) {
			mustBeTyped(t, err)
			return
		}
		var limit *tolerant.LimitError
		if errors.As(err, &limit) {
			return
		}
		if err != io.EOF {
			t.Fatalf("%q: %v", data, err)
		}
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Skip()
		}
		compare(t, v, want)
	})
}

func mustBeTyped(t *testing.T, err error) {
	t.Helper()
	var syntax *tolerant.SyntaxError
	var cut *tolerant.TruncatedError
	var limit *tolerant.LimitError
	if err != nil && err != io.EOF && !errors.As(err, &syntax) && !errors.As(err, &cut) && !errors.As(err, &limit) {
		t.Fatalf("untyped error %v", err)
	}
}

func compare(t *testing.T, got tolerant.Value, want any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		if got.Kind != tolerant.Object || len(got.Members) != len(w) {
			t.Fatalf("object differs: %v, want %v", got, w)
		}
		for _, m := range got.Members {
			compare(t, m.Value, w[m.Key])
		}
	case []any:
		if got.Kind != tolerant.Array || len(got.Items) != len(w) {
			t.Fatalf("array differs: %v, want %v", got, w)
		}
		for i := range w {
			compare(t, got.Items[i], w[i])
		}
	case json.Number:
		if got.Kind != tolerant.Number || got.Text != w.String() || got.Bare {
			t.Fatalf("number %v, want %v", got, w)
		}
	case string:
		if got.Kind != tolerant.String || got.Text != w {
			t.Fatalf("string %q, want %q", got.Text, w)
		}
	case bool:
		if w && got.Kind != tolerant.True || !w && got.Kind != tolerant.False {
			t.Fatalf("bool %v, want %v", got, w)
		}
	case nil:
		if got.Kind != tolerant.Null {
			t.Fatalf("%v, want null", got)
		}
	}
}
