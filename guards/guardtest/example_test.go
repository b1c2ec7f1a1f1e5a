package guardtest_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/guards/guardtest"
)

// Each batch says what a guard has to make of it.
func ExampleBatch() {
	vocab, _ := guards.NewVocab(1000, guards.LogitsWidth(1064))
	for _, b := range guardtest.Batches[int32](vocab, 2, 16) {
		site := guards.New(guards.Options{}).DecodeSite("evaluate", vocab)
		if err := guards.CheckTokenRows(site, b.Rows); err != nil {
			fmt.Println(b.Name, "-", b.Grade)
		}
	}
	// Output:
	// four bytes of 0x01 - ids-signature
	// a NaN made an int32 - ids-impossible
	// minus one - ids-impossible
	// beyond the logits - ids-impossible
	// one value beyond the logits over and over - ids-signature
}

func ExampleTensor() {
	for _, c := range guardtest.Tensors[float32](64) {
		w := guards.New(guards.Options{}).WatchFinite(guards.Gradient)
		if err := guards.CheckFinite(w, "", c.Values); err != nil {
			fmt.Println(c.Name)
		}
	}
	// Output:
	// NaN
	// infinity
	// negative infinity
	// a tile of 0x01 bytes
	// nothing but 0x01 bytes
}

// here stands in for the *testing.T of a test.
type here struct {
	testing.TB
	dir string
}

func (here) Helper()           {}
func (here) Cleanup(func())    {}
func (h here) TempDir() string { return h.dir }

// A doubt brings no error; the record tells.
func ExampleRecording() {
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)
	before := guards.Default()
	defer guards.SetDefault(before)

	rec := guardtest.Record(here{dir: dir})
	vocab, _ := guards.NewVocab(1000)
	site := guards.DecodeSite("evaluate", vocab)
	fmt.Println(guards.CheckTokenIDs(site, make([]int32, 64)))
	fmt.Println(rec.Codes())
	_ = rec.Close()
	// Output:
	// <nil>
	// [ids-stuck]
}
