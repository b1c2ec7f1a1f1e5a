package bench

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Sample is what one run of an arm took.
type Sample struct {
	Seconds float64 `json:"seconds"` // the whole run, from start to end
	// Step is the time of one step in seconds, where the run tells it; Split
	// parts it.
	Step     float64 `json:"step,omitempty"`
	Examples float64 `json:"examples,omitempty"` // a second
	Split    *Split  `json:"split,omitempty"`
	Phases   *Phases `json:"phases,omitempty"`
	Control  float64 `json:"control"` // seconds of the control around the run
	// Same is a value that must not depend on the arm's turn: the loss of the
	// control, to the bit.
	Same   string `json:"same,omitempty"`
	Around Around `json:"around"`
}

// Split parts a step, in shares of its time.
type Split struct {
	Wait      float64 `json:"data_wait"`
	ToDevice  float64 `json:"to_device"`
	Compute   float64 `json:"compute"`
	Optimizer float64 `json:"optimizer"`
	Rest      float64 `json:"rest"`
}

// Phases part a run, in seconds.
type Phases struct {
	Start    float64 `json:"start"`
	Training float64 `json:"training"`
	Eval     float64 `json:"evaluation"`
	Saving   float64 `json:"saving"` // from "complete" to "saved"
}

// Around is what the machine was like at a run.
type Around struct {
	Load     float64 `json:"load"`             // average of a minute; 0: not known
	Others   int     `json:"others,omitempty"` // processes of others on the device
	Throttle string  `json:"throttle,omitempty"`
	Clock    string  `json:"clock,omitempty"` // of the device, MHz
	Use      string  `json:"use,omitempty"`   // utilisation of the device, per cent
	Power    string  `json:"power,omitempty"` // mains, battery
}

// Options says what to run.
type Options struct {
	Arms   []Arm
	Rounds int // behind the warm-up
	Device string
	// One runs an arm once. It fills all but the control and what is around.
	One func(context.Context, Arm) (Sample, error)
	// Control runs what cannot respond to the setting; nil: One does it itself.
	Control func(context.Context) (time.Duration, error)
	Around  func(context.Context) Around
	Told    func(round int, arm Arm, s Sample) // as runs end; nil: nobody listens
	Judge   Thresholds
}

// FewestRounds is the smallest number of pairs of which a sign test can show
// anything at 5 %, shared by as many comparisons as there are arms beside the
// first: 6 for two arms.
func FewestRounds(arms int) int {
	n := 1
	for math.Exp2(float64(1-n)) > alpha/float64(max(1, arms-1)) {
		n++
	}
	return n
}

// alpha is the level of the whole comparison.
const alpha = 0.05

// Run runs all arms in turn and judges them.
func Run(ctx context.Context, opt Options) (*Report, error) {
	if fewest := FewestRounds(len(opt.Arms)); opt.Rounds < fewest {
		return nil, fmt.Errorf("%d rounds can show nothing of %d arms: %d are the fewest", opt.Rounds, len(opt.Arms), fewest)
	}
	samples := make([][]Sample, len(opt.Arms))
	for round := range opt.Rounds + 1 {
		for turn := range opt.Arms {
			i := turn
			if round%2 == 1 {
				i = len(opt.Arms) - 1 - turn
			}
			s, err := opt.one(ctx, opt.Arms[i])
			if err != nil {
				return nil, fmt.Errorf("%s, round %d: %w", opt.Arms[i], round, err)
			}
			if opt.Told != nil {
				opt.Told(round, opt.Arms[i], s)
			}
			if round > 0 {
				samples[i] = append(samples[i], s)
			}
		}
	}
	return judge(opt, samples), nil
}

// one runs the control around an arm.
func (opt *Options) one(ctx context.Context, arm Arm) (Sample, error) {
	around := opt.Around(ctx)
	var before, after time.Duration
	var err error
	if opt.Control != nil {
		if before, err = opt.Control(ctx); err != nil {
			return Sample{}, fmt.Errorf("the control: %w", err)
		}
	}
	s, err := opt.One(ctx, arm)
	if err != nil {
		return Sample{}, err
	}
	if opt.Control != nil {
		if after, err = opt.Control(ctx); err != nil {
			return Sample{}, fmt.Errorf("the control: %w", err)
		}
		s.Control = (before + after).Seconds()
	}
	s.Around = around
	return s, ctx.Err()
}
