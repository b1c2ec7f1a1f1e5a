package guards

import (
	"fmt"
	"math"
)

const (
	defaultStart   = 65536
	shortStart     = 1024
	growthInterval = 2000
)

// StartAdvice is a scale to start from, and why.
type StartAdvice struct {
	Scale  float64
	Reason string
}

// AdviseStart says which scale a float16 run of so many optimizer steps had
// best start from. A scaler that starts too high finds its scale by throwing
// steps away, which a long run does not feel and a short one never makes up:
// 16 steps from 4,194,304 lost 8, 60 steps from 65,536 lost 2 to 4 and none
// from 1,024. bfloat16 needs no scaling.
func AdviseStart(steps int64) StartAdvice {
	lost := int64(math.Log2(defaultStart / shortStart))
	switch {
	case steps <= 0:
		return StartAdvice{defaultStart, "the length of the run is not known; the usual start is 65,536"}
	case steps < growthInterval:
		return StartAdvice{shortStart, fmt.Sprintf(
			"a start at 65,536 can throw away up to %d of the %d steps (%.1f %%) before it is down at 1,024, and a run below %d steps ends before a scale can grow; if gradients underflow at 1,024, start higher",
			min(lost, steps), steps, 100*float64(min(lost, steps))/float64(steps), growthInterval)}
	}
	return StartAdvice{defaultStart, fmt.Sprintf("at most %d of %d steps go into finding the scale, and it can grow", lost, steps)}
}
