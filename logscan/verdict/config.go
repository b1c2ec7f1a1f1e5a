package verdict

import (
	"time"
)

// Config holds every threshold of the judge. The reasons for the defaults
// stand beside the keys in internal/config.
type Config struct {
	// Look-back before an asynchronous fault.
	LossRatio     float64 // a record deviates when its loss is this many times the one before
	StepTimeRatio float64 // ... or its step time this many times the run's median
	LookBackBytes int64   // how far back a first deviation is looked for

	// Skipped steps count against a value from these shares on.
	SkipShare      float64
	SkipShortRun   int64   // attempted steps
	SkipShortShare float64 // in a run under SkipShortRun attempted steps
	SkipTailShare  float64 // any skip in this last share of a short run counts
	SkipInARow     int64
	SkipLast       int64

	// Order.
	Skew         time.Duration // allowed between hosts
	ZoneKnown    bool          // zoneless stamps are in a zone that the user named
	FarBytes     int64
	FlushStretch int64

	// StuckDigits: a gradient norm that repeats with this many digits is stuck.
	StuckDigits int

	// What TRUSTED needs.
	RequireLevel *Level           // nil: the source's default
	RequireFor   map[string]Level // per metric pattern

	Require []string // patterns of values that are claims too
	All     bool     // judge every value
}

// DefaultConfig is design.md's.
func DefaultConfig() *Config {
	return &Config{
		LossRatio: 1.75, StepTimeRatio: 3, LookBackBytes: 1 << 20,
		SkipShare: 0.10, SkipShortRun: 200, SkipShortShare: 0.05, SkipTailShare: 0.20, SkipInARow: 20, SkipLast: 3,
		Skew: 2 * time.Second, FarBytes: 128 << 10, FlushStretch: 4096,
		StuckDigits: 10,
	}
}

// required is the level that TRUSTED needs for a metric.
func (c *Config) required(name string, byDefault Level) Level {
	need := byDefault
	if c.RequireLevel != nil {
		need = *c.RequireLevel
	}
	for pattern, level := range c.RequireFor {
		if glob(pattern, name) {
			need = max(need, level)
		}
	}
	return need
}

func matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if glob(p, name) {
			return true
		}
	}
	return false
}
