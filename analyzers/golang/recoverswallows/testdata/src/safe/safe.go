// Package safe is the wrapper that every second code base has.
package safe

import (
	"fmt"
	"log"
)

// Do lets no panic out.
func Do(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			log.Println(name, r)
		}
	}()
	f()
}

// Go starts f and lets no panic out.
func Go(f func()) {
	go func() {
		defer func() {
			if r := recover(); r != nil {
				log.Println(r)
			}
		}()
		f()
	}()
}

// Try tells.
func Try(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	f()
	return nil
}
