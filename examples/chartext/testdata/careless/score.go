package main

import (
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

// score is what not to do, put in the place of score.go: it prints ids that nobody
// checked, and drops a sample whose check failed. trainvet vet finds both.
func (t *trainer) score(ids, wanted []int32) (int, error) {
	fmt.Printf("wrote %q\n", t.letters.Decode(ids))
	if err := guards.CheckTokenIDs(t.written, ids); err != nil {
		fmt.Println("skipping a bad sample")
		return 0, nil
	}
	return distance(t.letters.Decode(ids), t.letters.Decode(wanted)), nil
}
