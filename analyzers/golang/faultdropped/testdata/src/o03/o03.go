// Package o03 is the scenario go-guard-swallowed: the error of the guard is
// compared by its text and downgraded to one failed item. The run ends with
// exit 0 and "attrition 12 %".
package o03

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trainvet/trainvet/guards"
)

func label(ids []int32) (string, error) {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return "", err
	}
	return "label", nil
}

func run(shards [][]int32) {
	failed := 0
	for _, ids := range shards {
		s, err := label(ids)
		if err != nil { // want `a fault of guards.CheckTokenIDs does not get past here: the loop goes on and the item counts as one failure`
			if strings.Contains(err.Error(), "out of range") {
				failed++
				continue
			}
			panic(err)
		}
		fmt.Println(s)
	}
	fmt.Printf("attrition %d %%\n", 100*failed/len(shards))
}

// twin: quality errors are downgraded per item on purpose, faults are not.
func twin(shards [][]int32) error {
	failed := 0
	for _, ids := range shards {
		s, err := label(ids)
		if err == nil {
			err = guards.Loss(float32(len(s)))
		}
		if errors.Is(err, guards.ErrFault) {
			return fmt.Errorf("run: %w", err)
		}
		if err != nil {
			failed++
			continue
		}
		fmt.Println(s)
	}
	fmt.Printf("attrition %d %%\n", 100*failed/len(shards))
	return nil
}

// qualityByText downgrades what is no fault, by its text: not good, and not ours.
func qualityByText(losses []float32) (failed int) {
	for _, l := range losses {
		if err := guards.Loss(l); err != nil && strings.Contains(err.Error(), "loss") {
			failed++
		}
	}
	return failed
}
