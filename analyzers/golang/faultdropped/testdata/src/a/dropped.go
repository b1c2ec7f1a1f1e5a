package a

import (
	"errors"
	"fmt"
	"log"
	"os"

	"lib"

	"github.com/trainvet/trainvet/guards"
)

func bare(ids []int32) {
	guards.CheckTokenIDs(nil, ids) // want `an error that may be a fault of guards.CheckTokenIDs does not get past here: it is dropped`
}

func blank(ids []int32) {
	_ = guards.CheckTokenIDs(nil, ids) // want `it is dropped`
}

func blankOfTwo(ids []int32) string {
	s, _ := lib.Text(ids) // want `it is dropped`
	return s
}

func byInterface(d lib.Decoder, ids []int32) string {
	s, _ := d.Decode(ids) // want `it is dropped`
	return s
}

func finite(x float32) {
	_ = guards.Finite(x) // want `it is dropped`
}

func logged(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `the function returns without it`
		log.Print(err)
	}
	return nil
}

func loggedAndOn(batches [][]int32) (n int, err error) {
	for _, ids := range batches {
		s, err := lib.Text(ids)
		if err != nil { // want `the loop goes on and the item counts as one failure`
			log.Printf("batch: %v", err)
			continue
		}
		n += len(s)
	}
	return n, nil
}

func attrition(batches [][]int32) ([]string, error) {
	var out, failed []string
	for _, ids := range batches {
		s, err := lib.Text(ids)
		if err != nil { // want `the loop goes on and the item counts as one failure`
			failed = append(failed, err.Error())
			continue
		}
		out = append(out, s)
	}
	fmt.Println(len(failed))
	return out, nil
}

func counter(batches [][]int32) (int, int) {
	ok, failed := 0, 0
	for _, ids := range batches {
		if _, err := lib.Text(ids); err != nil { // want `the loop goes on`
			failed++
			continue
		}
		ok++
	}
	return ok, failed
}

func overwritten(a, b []int32) error {
	err := guards.CheckTokenIDs(nil, a) // want `it is dropped`
	err = guards.CheckTokenIDs(nil, b)
	return err
}

func retried(ids []int32) (err error) {
	for range 3 {
		err = guards.CheckTokenIDs(nil, ids)
		if err == nil { // want `the loop goes on`
			return nil
		}
	}
	return err
}

func inGoroutine(ids []int32) {
	go guards.CheckTokenIDs(nil, ids) // want `nobody gets what a goroutine returns`
	go func() {
		if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `the goroutine ends and nobody hears of it`
			log.Print(err)
		}
	}()
}

func deferred(ids []int32) {
	defer guards.CheckTokenIDs(nil, ids) // want `nobody gets what a deferred call returns`
}

func capturedUnread(ids []int32) {
	var last error
	_ = last // the compiler asks for it, nobody reads it
	done := make(chan bool)
	go func() {
		defer close(done)
		if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `the goroutine ends`
			last = err
		}
	}()
	<-done
}

func testedForOther(ids []int32) error {
	err := guards.CheckTokenIDs(nil, ids)
	if errors.Is(err, guards.ErrQuality) {
		return err
	}
	if err != nil { // want `returns without it`
		log.Print(err)
	}
	return nil
}

func byHelper(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `returns without it`
		show(err)
	}
	return nil
}

func show(err error) { fmt.Fprintln(os.Stderr, "warning:", err) }

func asBool(ids []int32) bool {
	return guards.CheckTokenIDs(nil, ids) == nil // want `goes on as if nothing had happened`
}

type worker struct{ err error }

func (w *worker) run(ids []int32) { w.err = guards.CheckTokenIDs(nil, ids) }
func (w *worker) Err() error      { return w.err }

func sticky(w *worker, ids []int32) {
	w.run(ids)
	w.Err() // want `it is dropped`
}

func retry(f func() error) error { return f() }

func higher(ids []int32) {
	_ = retry(func() error { return guards.CheckTokenIDs(nil, ids) }) // want `it is dropped`
}

func askedAndForgotten(f func()) error {
	f()
	if guards.Err() != nil { // want `the function returns without it`
		log.Print("the run is tainted")
	}
	return nil
}

func askedOfTwo(one, two *guards.Run, f func()) error {
	before := one.Err()
	f()
	if now := two.Err(); before == nil && now != nil { // want `the function returns without it` `the function returns without it`
		log.Print("tainted")
	}
	return nil
}

// askedAgainInVain: nobody gets either answer.
func askedAgainInVain(f func()) error {
	before := guards.Err()
	f()
	if now := guards.Err(); before == nil && now != nil { // want `the function returns without it`
		log.Print(now)
	}
	return nil
}

// joinedOfNothing: what is joined may be nothing.
func joinedOfNothing(ids []int32, f func() error) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `the function returns without it`
		log.Print(err)
		return errors.Join(f())
	}
	return nil
}
