package guards_test

import (
	"errors"
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

// A decode behind a guard: the ids are checked as they came from the device.
func ExampleSite() {
	vocab, err := guards.NewVocab(50257, guards.LogitsWidth(50304))
	if err != nil {
		fmt.Println(err)
		return
	}
	site := guards.New(guards.Options{}).DecodeSite("evaluate", vocab)
	fmt.Println(guards.CheckTokenIDs(site, []int32{464, 3290, 318}))
	fmt.Println(guards.CheckTokenIDs(site, []int32{464, 16843009, 318}))
	fmt.Println(site.Seen())
	// Output:
	// <nil>
	// fault ids-signature at evaluate, sample 0, place 1: id 16843009 is four bytes of 0x01: memory that no kernel wrote
	// 6
}

// Ids of any type that trainers use, named ones included.
func ExampleID() {
	type Token int32
	vocab, _ := guards.NewVocab(100)
	site := guards.New(guards.Options{}).DecodeSite("sample", vocab)
	fmt.Println(guards.CheckTokenID(site, Token(7)), guards.CheckTokenID(site, uint16(7)))
	fmt.Println(guards.CheckTokenID(site, int64(6<<32|9)))
	// Output:
	// <nil> <nil>
	// fault ids-signature at sample, place 0: id 25769803785 is 9 with a stray high word: two 32-bit values read as one
}

// At a site where each batch has to vary, one id all over is suspicious
// whichever it is. It is recorded, and no error: it proves nothing.
func ExampleSiteOption() {
	vocab, _ := guards.NewVocab(100)
	site := guards.New(guards.Options{}).DecodeSite("sample", vocab, guards.MustVary())
	fmt.Println(guards.CheckTokenIDs(site, make([]int32, 64)))
	// Output: <nil>
}

// Rows behind one another in a tensor: the error names row and column.
func ExampleCheckTokenMatrix() {
	vocab, _ := guards.NewVocab(100, guards.LogitsWidth(128))
	site := guards.New(guards.Options{}).DecodeSite("evaluate", vocab)
	err := guards.CheckTokenMatrix(site, []int64{1, 2, 3, 4, 5, 4000}, 3)
	var fault *guards.Fault
	if errors.As(err, &fault) {
		fmt.Println(fault.Grade, fault.Sample, fault.Place, fault.Value)
	}
	// Output: ids-impossible 1 2 4000
}
