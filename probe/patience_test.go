package probe

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPatience: on a quiet machine so long, on a busy one so many times as long,
// and anew with each sign of life.
func TestPatience(t *testing.T) {
	for _, tt := range []struct {
		crowd func() float64
		want  time.Duration
	}{
		{nil, time.Minute},
		{func() float64 { return 1 }, time.Minute},
		{func() float64 { return 3 }, 3 * time.Minute},
		{func() float64 { return 100 }, mostCrowded * time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			var ended atomic.Bool
			p := &patience{crowd: tt.crowd, end: func() { ended.Store(true) }}
			p.give(time.Minute)
			time.Sleep(tt.want - time.Second)
			require.False(t, ended.Load())
			p.give(time.Minute) // it said something
			time.Sleep(tt.want - time.Second)
			require.False(t, ended.Load())
			time.Sleep(2 * time.Second)
			require.True(t, ended.Load())

			ended.Store(false)
			p.give(time.Minute)
			p.stop()
			time.Sleep(time.Hour)
			require.False(t, ended.Load())
		})
	}
}
