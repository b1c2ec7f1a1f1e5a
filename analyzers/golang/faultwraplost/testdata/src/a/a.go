package a

import (
	"errors"
	"fmt"
	"log"

	"github.com/trainvet/trainvet/guards"
)

func verb(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return fmt.Errorf("batch of %d: %v", len(ids), err) // want `a fault of guards.CheckTokenIDs loses its type here: the new error holds its text alone`
	}
	return nil
}

func text(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return fmt.Errorf("100%% bad: %s", err.Error()) // want `loses its type`
	}
	return nil
}

func flags(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return fmt.Errorf("%+v", err) // want `loses its type`
	}
	return nil
}

func renewed(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return errors.New("a: " + err.Error()) // want `loses its type`
	}
	return nil
}

var errDecode = errors.New("decode failed")

func exchanged(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		log.Print(err)
		return errDecode // want `another error takes its place`
	}
	return nil
}

func byHelper(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return wrap(err) // want `loses its type`
	}
	return nil
}

func wrap(err error) error { return fmt.Errorf("a: %v", err) }

func twice(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		err = fmt.Errorf("inner: %v", err) // want `loses its type`
		return fmt.Errorf("outer: %w", err)
	}
	return nil
}

func summed(batches [][]int32) error {
	var errs []error
	for _, ids := range batches {
		if err := guards.CheckTokenIDs(nil, ids); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("%d of %d batches failed", len(errs), len(batches)) // want `another error takes its place`
	}
	return nil
}

// The twins.

func kept(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		log.Print(fmt.Sprintf("batch: %v", err), fmt.Errorf("shown only: %v", err))
		return fmt.Errorf("batch of %d, %v: %w", len(ids), ids, err)
	}
	return nil
}

func indexed(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return fmt.Errorf("%[2]d: %[1]w", err, len(ids))
	}
	return nil
}

func testedFirst(ids []int32) error {
	err := guards.CheckTokenIDs(nil, ids)
	if errors.Is(err, guards.ErrFault) {
		return err
	}
	if err != nil {
		return fmt.Errorf("no fault: %v", err)
	}
	return nil
}

func both(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		return errors.Join(errDecode, err)
	}
	return nil
}

func cleanup(ids []int32, close func() error) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		if cerr := close(); cerr != nil {
			return cerr // the run stops on it
		}
		return err
	}
	return nil
}

func notAFault(x float32) error {
	if err := guards.Loss(x); err != nil {
		return fmt.Errorf("loss: %v", err)
	}
	return nil
}
