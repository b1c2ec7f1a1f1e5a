package a

import (
	"errors"
	"fmt"
	"math"
)

func equal(x float64, y float32) bool {
	if x == math.NaN() { // want `always false`
		return true
	}
	if y != float32(math.NaN()) { // want `always true`
		return true
	}
	return math.NaN() < x // want `always false`
}

type trainer struct{ bestLoss, valAccuracy float64 }

func best(losses []float64) float64 {
	best := math.Inf(1)
	for _, loss := range losses {
		if loss < best { // want `false when loss is NaN: best stays at an older value`
			best = loss
		}
	}
	return best
}

func bestField(t *trainer, epochs [][]float64) {
	for _, e := range epochs {
		v := mean(e)
		if t.bestLoss > v { // want `false when v is NaN: t.bestLoss stays`
			t.bestLoss = v
		}
	}
}

func bestOf(results []trainer) (best trainer, bestAcc float64) {
	for i, r := range results {
		if i == 0 || r.valAccuracy > bestAcc { // want `false when r.valAccuracy is NaN`
			best, bestAcc = r, r.valAccuracy
		}
	}
	return best, bestAcc
}

func lowest(wers []float64) (minWER float64) {
	for _, wer := range wers {
		if wer < minWER { // want `false when wer is NaN`
			minWER = wer
		}
	}
	return minWER
}

func limit(loss float64) error {
	if loss > 100 { // want `the run that should stop here goes on`
		return errors.New("diverged")
	}
	return nil
}

func mean(list []float64) float64 {
	s := 0.0
	for _, x := range list {
		s += x
	}
	return s / float64(len(list))
}

// The twins.

func asked(losses []float64) float64 {
	best := math.Inf(1)
	for _, loss := range losses {
		if math.IsNaN(loss) {
			continue
		}
		if loss < best {
			best = loss
		}
	}
	return best
}

func askedInside(loss, best float64) float64 {
	if !math.IsNaN(loss) && loss < best {
		best = loss
	}
	return best
}

func askedOfItsOrigin(raw, best float64) float64 {
	if math.IsInf(raw, 0) || math.IsNaN(raw) {
		panic("no number")
	}
	loss := raw * 2
	if loss < best {
		best = loss
	}
	return best
}

func idiom(loss, best float64) float64 {
	if loss != loss {
		panic("no number")
	}
	if loss < best {
		best = loss
	}
	return best
}

func noneYet(losses []float64) float64 {
	best := math.NaN()
	for _, loss := range losses {
		if math.IsNaN(best) || loss < best { // who uses NaN for "none yet" has it in mind
			best = loss
		}
	}
	return best
}

// gorgonia op_yolo: the best overlap chooses a box, and is no metric of a run.
func anchor(overlaps []float32) (bestIOU float32) {
	for _, currentIOU := range overlaps {
		if currentIOU > bestIOU {
			bestIOU = currentIOU
		}
	}
	return bestIOU
}

func negated(loss float64) error {
	if !(loss <= 100) {
		return errors.New("diverged") // NaN comes here too
	}
	return nil
}

func builtin(loss, best float64) float64 { return min(loss, best) }

func ints(losses []int) (best int) {
	for _, loss := range losses {
		if loss < best {
			best = loss
		}
	}
	return best
}

func noMetric(widths []float64) (best, maxWidth float64) {
	for _, w := range widths {
		if w > maxWidth {
			maxWidth = w
		}
		if w > best {
			best = w
		}
	}
	return best, maxWidth
}

func network(packetLoss, maxPacketLoss float64) error {
	if packetLoss > maxPacketLoss {
		maxPacketLoss = packetLoss
	}
	if packetLoss > 0.5 {
		return errors.New("bad link")
	}
	return nil
}

func shown(loss, limit float64) {
	if loss > limit {
		fmt.Println("high")
	}
}

func converged(losses []float64) int {
	for i, loss := range losses {
		if loss < 1e-6 {
			return i
		}
	}
	return -1
}
