package bench

import (
	"context"
	"crypto/sha256"
	"runtime"
	"sync"
	"time"
)

// Size of the control: about 50 ms on a quiet core.
const (
	controlBlock  = 1 << 20
	controlBlocks = 40
)

// CPUControl hashes a fixed amount on every processor at the same time, so that
// a neighbour on any of them is felt. It cannot respond to a device or a dtype.
func CPUControl(ctx context.Context) (time.Duration, error) {
	block := make([]byte, controlBlock)
	begin := time.Now()
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			h := sha256.New()
			for range controlBlocks {
				h.Write(block)
			}
		})
	}
	all.Wait()
	return time.Since(begin), ctx.Err()
}
