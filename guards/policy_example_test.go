package guards_test

import (
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

// A trainer whose error paths are not to be trusted panics on a fault.
func ExamplePolicy() {
	run := guards.New(guards.Options{Policy: guards.Panic})
	vocab, _ := guards.NewVocab(1000)
	site := run.DecodeSite("sample", vocab)

	defer func() { fmt.Println("panicked:", recover().(*guards.Fault).Grade) }()
	guards.CheckTokenIDs(site, []int32{16843009})
	// Output: panicked: ids-signature
}
