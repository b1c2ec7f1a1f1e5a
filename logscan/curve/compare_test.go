package curve

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func good(seed uint64) *runOf {
	b := newRun(seed, 128)
	return b.loss(b.noisy(0.1, falling(1.352, 0.153, 5))).series("grad_norm", kNorm, b.noisy(0.3, level(1.1)))
}

// Labels shuffled: 1.380 to 1.368, where the known-good run goes from 1.352 to 0.153.
func TestShuffledLabelsAgainstBaseline(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		b := newRun(seed, 128)
		b.loss(b.noisy(0.02, falling(1.380, 1.368, 2))).series("grad_norm", kNorm, b.noisy(0.3, level(0.05)))
		found, skipped := Compare(b.evidence(), good(seed+50).evidence(), Thresholds{})
		require.Empty(t, skipped)
		require.Equal(t, []string{"baseline-floor", "baseline-improvement", "baseline-gradient"}, codes(found))
		require.Regexp(t, `^loss floor far above the baseline's: loss comes down to 1\.3\d*, the baseline's to 0\.1\d*$`, found[0].Text)
	}
}

// Another seed, a better run, a shorter one: nothing to say.
func TestGoodRunsAgainstBaseline(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		better := newRun(seed, 128)
		better.loss(better.noisy(0.1, falling(1.36, 0.05, 7))).series("grad_norm", kNorm, better.noisy(0.3, level(0.6)))
		worse := newRun(seed, 128)
		worse.loss(worse.noisy(0.1, falling(1.4, 0.25, 4))).series("grad_norm", kNorm, worse.noisy(0.3, level(3)))
		short := good(seed)
		short.train.Rows = short.train.Rows[:40]
		for _, b := range []*runOf{good(seed), better, worse, short} {
			found, _ := Compare(b.evidence(), good(seed+100).evidence(), Thresholds{})
			require.Empty(t, textOf(found), "seed %d", seed)
		}
	}
}

func TestCompareNamesWhatItCannot(t *testing.T) {
	t.Parallel()
	base := good(1).evidence()
	_, skipped := Compare(healthy["gan"](1).evidence(), base, Thresholds{})
	require.Contains(t, textOf(skipped), "adversarial training")
	require.Contains(t, textOf(skipped), "no gradient norm in both runs")
	_, skipped = Compare(base, healthy["three points"](1).evidence(), Thresholds{})
	require.Contains(t, textOf(skipped), "too short")
	flat := newRun(2, 100)
	flat.loss(flat.noisy(0.1, level(1)))
	_, skipped = Compare(base, flat.evidence(), Thresholds{})
	require.Contains(t, textOf(skipped), "baseline's own loss does not improve")
}
