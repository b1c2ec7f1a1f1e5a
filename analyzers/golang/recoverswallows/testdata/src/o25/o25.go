// Package o25 is the scenario go-recover-dropped: the worker panics on 7 of 64
// items, recover logs and goes on, and the mean is that of 57.
package o25

import (
	"fmt"
	"log"
	"sync"

	"github.com/trainvet/trainvet/guards"
)

func score(ids []int32) float64 {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		panic(err)
	}
	return float64(len(ids))
}

func mean(items [][]int32) float64 {
	var (
		mu  sync.Mutex
		wg  sync.WaitGroup
		sum float64
		n   int
	)
	for _, ids := range items {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil { // want `recover swallows what guards.CheckTokenIDs panics with: the item is left out`
					log.Printf("item dropped: %v", r)
				}
			}()
			s := score(ids)
			mu.Lock()
			defer mu.Unlock()
			sum, n = sum+s, n+1
		})
	}
	wg.Wait()
	return sum / float64(n)
}

// twin: the loader drops the last partial batch and declares n.
func twin(items [][]int32, batch int) (float64, int) {
	n := len(items) / batch * batch
	sum := 0.0
	for _, ids := range items[:n] {
		sum += score(ids)
	}
	fmt.Printf("mean over %d of %d\n", n, len(items))
	return sum / float64(n), n
}
