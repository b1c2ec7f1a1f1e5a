package drop

import (
	"errors"
	"log"

	"github.com/trainvet/trainvet/guards"
)

type text struct{ s string }

func decode(ids []int32) (string, error) {
	return "text", guards.CheckTokenIDs(nil, ids)
}

func loop(batches [][]int32) (texts []string, n int, ok bool, t text, err error) {
	for _, ids := range batches {
		s, err := decode(ids)
		if err != nil { // want `lost`
			log.Print(err)
			continue
		}
		texts = append(texts, s)
	}
	return texts, len(texts), true, text{}, nil
}

func literal(ids []int32) func() error {
	return func() error {
		if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `lost`
			log.Print(err)
		}
		return nil
	}
}

// No fix: there is no error to return it as.
func noError(ids []int32) int {
	if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `lost`
		return 0
	}
	return errors.ErrUnsupported.(interface{ Len() int }).Len()
}

// No fix: the sentinel's package is hidden by a variable there.
func shadowed(ids []int32) error {
	guards := []func([]int32) error{check}
	if _, err := decode(ids); err != nil { // want `lost`
		log.Print(err, guards)
	}
	return nil
}

func check(ids []int32) error { return guards.CheckTokenIDs(nil, ids) }
