package a

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	"lib"

	"github.com/trainvet/trainvet/guards"
)

// The twins: each keeps the fault, or stops.

func returned(ids []int32) error { return guards.CheckTokenIDs(nil, ids) }

func returnedLater(ids []int32) (s string, err error) {
	s, err = lib.Text(ids)
	return
}

func wrappedAndReturned(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		log.Print(err) // shown, and passed on
		return fmt.Errorf("a: %w", err)
	}
	return nil
}

func testedFirst(batches [][]int32) (failed int, err error) {
	for _, ids := range batches {
		if _, err := lib.Text(ids); err != nil {
			if errors.Is(err, guards.ErrFault) {
				return failed, err
			}
			failed++ // a bad sample, no fault
			continue
		}
	}
	return failed, nil
}

func testedAs(batches [][]int32) (failed int, err error) {
	for _, ids := range batches {
		if _, err := lib.Text(ids); err != nil {
			var fault *guards.Fault
			if errors.As(err, &fault) {
				return failed, fault
			}
			failed++
		}
	}
	return failed, nil
}

func testedBySwitch(ids []int32) error {
	switch err := guards.CheckTokenIDs(nil, ids).(type) {
	case nil:
	case *guards.Fault:
		return err
	default:
		log.Print(err)
	}
	return nil
}

func testedByHelper(ids []int32) error {
	if _, err := lib.Text(ids); err != nil {
		if lib.IsFault(err) || isFault(err) {
			return err
		}
		log.Print(err)
	}
	return nil
}

func isFault(err error) bool {
	var f *guards.Fault
	return errors.As(err, &f)
}

func otherTypesHandled(ids []int32) error {
	_, err := lib.Text(ids)
	if err == io.EOF || errors.Is(err, context.Canceled) || os.IsNotExist(err) {
		return nil // not a fault
	}
	return err
}

func quality(losses []float32) (bad int) {
	for _, l := range losses {
		if err := guards.Loss(l); err != nil { // the training is bad: counted on purpose
			bad++
		}
	}
	return bad
}

func joined(batches [][]int32) error {
	var errs []error
	for _, ids := range batches {
		if _, err := lib.Text(ids); err != nil {
			errs = append(errs, err)
			continue
		}
	}
	return errors.Join(errs...)
}

func joinedOneByOne(batches [][]int32) (all error) {
	for _, ids := range batches {
		all = errors.Join(all, guards.CheckTokenIDs(nil, ids))
	}
	return all
}

func firstWins(batches [][]int32) error {
	var first error
	for _, ids := range batches {
		if err := guards.CheckTokenIDs(nil, ids); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func stops(ids []int32) {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		log.Fatal(err)
	}
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		panic(err)
	}
	must(guards.CheckTokenIDs(nil, ids))
	if _, err := lib.Text(ids); err != nil {
		die("text: %v", err)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func die(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format, args...)
	os.Exit(1)
}

func sent(ids []int32) error {
	errs := make(chan error, 1)
	go func() { errs <- guards.CheckTokenIDs(nil, ids) }()
	return <-errs
}

func captured(ids []int32) error {
	var (
		wg  sync.WaitGroup
		err error
	)
	wg.Go(func() { err = guards.CheckTokenIDs(nil, ids) })
	wg.Wait()
	return err
}

type result struct {
	text string
	err  error
}

func collected(batches [][]int32) []result {
	var out []result
	for _, ids := range batches {
		s, err := lib.Text(ids)
		out = append(out, result{s, err})
	}
	return out
}

func stored(m map[int]error, ids []int32) {
	m[0] = guards.CheckTokenIDs(nil, ids)
}

func handler(w http.ResponseWriter, r *http.Request) {
	if _, err := lib.Text(nil); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError) // the client is told
		return
	}
}

func callback(ids []int32, failed func(error)) {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		failed(err)
	}
}

func named(ids []int32) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("named: %w", err)
		}
	}()
	if err = guards.CheckTokenIDs(nil, ids); err != nil {
		return err
	}
	return nil
}

func other(s string) error {
	if strings.HasPrefix(s, "x") {
		return errors.New("no fault")
	}
	return nil
}

func notAFault() { _ = other("x") }

func closes(ids []int32, f io.Closer) error {
	err := guards.CheckTokenIDs(nil, ids)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

func closesLast(ids []int32) (err error) {
	defer func() {
		if cerr := guards.CheckTokenIDs(nil, ids); err == nil { // else an earlier error is returned
			err = cerr
		}
	}()
	return other("x")
}

// gives way to an earlier error, as the guide for trainers has it.
func givesWay(train func() error, ids []int32) {
	err := train()
	if lost := guards.CheckTokenIDs(nil, ids); err == nil {
		err = lost
	}
	if err != nil {
		log.Fatal(err)
	}
}

func status(w http.ResponseWriter, r *http.Request) {
	if err := guards.CheckTokenIDs(nil, []int32(nil)); err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusInternalServerError) // the client is told
		return
	}
}

// source is closed by whoever holds it; other Closers are not guarded.
type source interface {
	io.Closer
	Next() []int32
}

type guardedSource struct{}

func (guardedSource) Next() []int32 { return nil }
func (guardedSource) Close() error  { return guards.CheckTokenIDs(nil, []int32(nil)) }

func readsAll(s source, f *os.File) {
	defer f.Close()
	s.Next()
}

func exempted(ids []int32) {
	//trainvet:ignore TV201 the ids are those of the prompt, they never left the host
	_ = guards.CheckTokenIDs(nil, ids)
}

// onlyNew asks what a run remembers before and after: what was there before is
// the matter of who caused it.
func onlyNew(f func() error) error {
	before := guards.Err()
	if err := f(); err != nil {
		return err
	}
	if now := guards.Err(); before == nil && now != nil {
		return now
	}
	return nil
}

// onlyNewOf is onlyNew of a run that is not the default one.
func onlyNewOf(run *guards.Run, f func() error) (found error) {
	before := run.Err()
	err := f()
	if err != nil {
		return errors.Join(found, err) // the run stops on another error
	}
	if now := run.Err(); found == nil && before == nil && now != nil {
		return now
	}
	return found
}

// askedAgain asks twice; the second answer holds what the first one held.
func askedAgain(f func()) error {
	if guards.Err() != nil {
		log.Print("the run is tainted already")
	}
	f()
	return guards.Err()
}

// onlyNewByLiteral is onlyNew where the error is found by a literal.
func onlyNewByLiteral(run *guards.Run, ids []int32, each func(func([]int32)) error) error {
	var found error
	before := run.Err()
	err := each(func(part []int32) { found = guards.CheckTokenIDs(nil, part) })
	if err != nil {
		return errors.Join(found, err)
	}
	if now := run.Err(); found == nil && before == nil && now != nil {
		return now
	}
	return found
}
