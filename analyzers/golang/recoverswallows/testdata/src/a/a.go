package a

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"runtime/debug"
	"sync"

	"safe"

	"github.com/trainvet/trainvet/guards"
)

func decode(ids []int32) string {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		panic(err)
	}
	return "text"
}

func work() int { return 1 }

func logged(ids []int32) (n int) {
	defer func() {
		if r := recover(); r != nil { // want `recover swallows what decode panics with`
			log.Printf("recovered: %v\n%s", r, debug.Stack())
		}
	}()
	return len(decode(ids))
}

func bare(ids []int32) {
	defer func() { recover() }() // want `recover swallows`
	decode(ids)
}

func goroutine(batches [][]int32) {
	var wg sync.WaitGroup
	for _, ids := range batches {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() {
				if r := recover(); r != nil { // want `recover swallows`
					fmt.Fprintln(os.Stderr, "worker:", r)
				}
			}()
			decode(ids)
		}()
	}
	wg.Wait()
}

func byName(ids []int32) {
	defer swallow() // want `recover swallows`
	decode(ids)
}

func swallow() {
	if r := recover(); r != nil {
		log.Print(r)
	}
}

func counted(batches [][]int32) int {
	failed := 0
	for _, ids := range batches {
		func() {
			defer func() {
				if recover() != nil { // want `recover swallows`
					failed++
				}
			}()
			decode(ids)
		}()
	}
	return failed
}

func throughHelper(ids []int32) {
	defer func() {
		if r := recover(); r != nil { // want `recover swallows`
			show("decode", r)
		}
	}()
	decode(ids)
}

func show(what string, r any) { log.Println(what, r) }

func wrapped(ids []int32) {
	guarded(func() { decode(ids) })           // want `guarded recovers and goes on`
	safe.Do("decode", func() { decode(ids) }) // want `Do recovers and goes on`
	safe.Go(worker)                           // want `Go recovers and goes on`
}

func worker() { decode(nil) }

func guarded(f func()) { // want guarded:"swallows"
	defer func() { _ = recover() }()
	f()
}

// The twins.

func nothingBelow() (n int) {
	defer func() {
		if r := recover(); r != nil {
			log.Print(r)
		}
	}()
	return work()
}

func again(ids []int32) {
	defer func() {
		if r := recover(); r != nil {
			log.Print(r)
			panic(r)
		}
	}()
	decode(ids)
}

func asError(ids []int32) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("decode: %v", r)
		}
	}()
	decode(ids)
	return nil
}

func asErrorByHelper(ids []int32) (err error) {
	defer recovered(&err)
	decode(ids)
	return nil
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = errors.Join(*err, fmt.Errorf("%v", r))
	}
}

func asFlag(ids []int32) (s string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return decode(ids), true
}

func exits(ids []int32) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintln(os.Stderr, r)
			os.Exit(1)
		}
	}()
	decode(ids)
}

func sends(ids []int32, errs chan error) {
	defer func() {
		if r := recover(); r != nil {
			errs <- fmt.Errorf("%v", r)
		}
	}()
	decode(ids)
}

func stores(batches [][]int32) error {
	var (
		mu    sync.Mutex
		first error
		wg    sync.WaitGroup
	)
	for _, ids := range batches {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					mu.Lock()
					first = fmt.Errorf("%v", r)
					mu.Unlock()
				}
			}()
			decode(ids)
		})
	}
	wg.Wait()
	return first
}

func declared(batches [][]int32) (int, error) {
	failed := 0
	for _, ids := range batches {
		func() {
			defer func() {
				if recover() != nil {
					failed++
				}
			}()
			decode(ids)
		}()
	}
	if failed > 0 {
		return 0, fmt.Errorf("%d of %d batches panicked", failed, len(batches))
	}
	return len(batches), nil
}

func calls(ids []int32, onPanic func(any)) {
	defer func() {
		if r := recover(); r != nil {
			onPanic(r)
		}
	}()
	decode(ids)
}

func serve(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
		}
	}()
	fmt.Fprint(w, decode(nil))
}

func wrappedHarmless() {
	guarded(func() { work() })
	safe.Do("work", func() { work() })
	safe.Try(func() { decode(nil) })
}
