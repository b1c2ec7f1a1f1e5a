package facts

import (
	"errors"
	"sync"

	"lib"

	"github.com/trainvet/trainvet/guards"
)

func viaInterface(d lib.Decoder) error { // want viaInterface:"mayFault" viaInterface:"reaches"
	_, err := d.Decode(nil)
	return err
}

func viaClosure(ids []int32) error { // want viaClosure:"mayFault" viaClosure:"reaches"
	check := func() error { return guards.CheckTokenIDs(nil, ids) }
	return check()
}

func viaChannel(ids []int32) error { // want viaChannel:"mayFault" viaChannel:"reaches"
	c := make(chan error)
	go func() { c <- guards.CheckTokenIDs(nil, ids) }()
	return <-c
}

func viaCapture(ids []int32) (err error) { // want viaCapture:"mayFault" viaCapture:"reaches"
	var wg sync.WaitGroup
	wg.Go(func() { _, err = lib.Text(ids) })
	wg.Wait()
	return err
}

func viaJoin(ids []int32) error { // want viaJoin:"mayFault" viaJoin:"reaches"
	errs := []error{errors.New("other")}
	for range 2 {
		errs = append(errs, guards.Finite(0))
	}
	return errors.Join(errs...)
}

func viaType(v int) error { // want viaType:"mayFault\\(guards.Fault"
	if v > 0 {
		return &guards.Fault{Value: v}
	}
	return nil
}

func generic[T any](v T, ids []int32) (T, error) { // want generic:"mayFault" generic:"reaches"
	return v, guards.CheckTokenIDs(nil, ids)
}

func viaGeneric(ids []int32) error { // want viaGeneric:"mayFault" viaGeneric:"reaches"
	_, err := generic(1, ids)
	return err
}

func recursive(n int, ids []int32) error { // want recursive:"mayFault" recursive:"reaches"
	if n == 0 {
		return guards.CheckTokenIDs(nil, ids)
	}
	return recursive(n-1, ids)
}

func check(tok string, ids []int32) error { // want check:"reaches"
	return lib.Lost(ids) // its type was lost on the way: TV209 says so there
}

func none(x float32) error { return guards.Loss(x) }
