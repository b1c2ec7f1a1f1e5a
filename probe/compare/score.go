package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Score says how predictions are judged against labels.
type Score string

// The scores.
const (
	Accuracy Score = "accuracy" // whole items, right or wrong
	WER      Score = "wer"      // word errors per word of the labels
	CER      Score = "cer"      // character errors per character of the labels
	BLEU     Score = "bleu"     // corpus BLEU-4 over words split at spaces, unsmoothed, 0 to 100
	Mean     Score = "mean"     // mean of a column score
)

// Scores lists them.
func Scores() []string {
	return []string{string(Accuracy), string(WER), string(CER), string(BLEU), string(Mean)}
}

// counts are what one item adds to a score: sums of them give the score of any
// set of items, which is what resampling needs.
type counts []float64

// scorer turns items into counts and sums of counts into the score.
type scorer struct {
	count func(item Item) counts
	total func(sum counts) float64
}

func (s Score) scorer() (scorer, error) {
	ratio := func(sum counts) float64 { return sum[0] / max(sum[1], 1) }
	switch s {
	case Accuracy:
		return scorer{func(i Item) counts { return counts{right(i), 1} }, ratio}, nil
	case WER:
		return scorer{func(i Item) counts {
			return errorsOf(strings.Fields(i.Label), strings.Fields(i.Prediction))
		}, ratio}, nil
	case CER:
		return scorer{func(i Item) counts {
			return errorsOf(strings.Split(i.Label, ""), strings.Split(i.Prediction, ""))
		}, ratio}, nil
	case BLEU:
		return scorer{bleuCounts, bleu}, nil
	case Mean:
		return scorer{func(i Item) counts { return counts{i.Score, 1} }, ratio}, nil
	}
	return scorer{}, fmt.Errorf("unknown score %q", string(s))
}

func right(i Item) float64 {
	if i.Label == i.Prediction {
		return 1
	}
	return 0
}

// errorsOf counts the fewest insertions, deletions and substitutions, and the
// words of the label.
func errorsOf(label, prediction []string) counts {
	row := make([]int, len(prediction)+1)
	for j := range row {
		row[j] = j
	}
	for i, want := range label {
		diagonal := row[0]
		row[0] = i + 1
		for j, got := range prediction {
			cost := diagonal
			if want != got {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return counts{float64(row[len(prediction)]), float64(len(label))}
}

// bleuOrder is the longest n-gram of BLEU.
const bleuOrder = 4

// bleuCounts are matches and candidates of each order, then the two lengths.
func bleuCounts(i Item) counts {
	label, prediction := strings.Fields(i.Label), strings.Fields(i.Prediction)
	c := make(counts, 2*bleuOrder+2)
	for n := 1; n <= bleuOrder; n++ {
		have := grams(label, n)
		for gram, times := range grams(prediction, n) {
			c[2*n-2] += float64(min(times, have[gram]))
			c[2*n-1] += float64(times)
		}
	}
	c[2*bleuOrder], c[2*bleuOrder+1] = float64(len(label)), float64(len(prediction))
	return c
}

func grams(words []string, n int) map[string]int {
	out := map[string]int{}
	for i := 0; i+n <= len(words); i++ {
		out[strings.Join(words[i:i+n], " ")]++
	}
	return out
}

// bleu is 0 where an order has no match, as the measure is defined.
func bleu(sum counts) float64 {
	log := 0.0
	for n := range bleuOrder {
		if sum[2*n] == 0 {
			return 0
		}
		log += math.Log(sum[2*n]/sum[2*n+1]) / bleuOrder
	}
	brevity := min(0, 1-sum[2*bleuOrder]/sum[2*bleuOrder+1])
	return 100 * math.Exp(log+brevity)
}

func (c counts) add(other counts, times float64) {
	for i := range c {
		c[i] += times * other[i]
	}
}

func sumOf(items []counts) counts {
	sum := slices.Clone(items[0])
	for _, c := range items[1:] {
		sum.add(c, 1)
	}
	return sum
}
