package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

func stretch(v verdict.Verdict, from, to evidence.Num) verdict.Stretch {
	return verdict.Stretch{Verdict: v, Step: evidence.Span{Has: true, First: from, Last: to}, Last: to, Text: "0.5"}
}

func TestNeighboursWithOneVerdictAreOneStretch(t *testing.T) {
	t.Parallel()
	require.Equal(t, "TRUSTED 0-182, begun anew 2 times (last 0.5)",
		stretches([]verdict.Stretch{stretch(verdict.Trusted, 0, 182), stretch(verdict.Trusted, 0, 182), stretch(verdict.Trusted, 0, 90)}))
	require.Equal(t, "TRUSTED 0-20, POISONED from 21 (last 0.5)",
		stretches([]verdict.Stretch{stretch(verdict.Trusted, 0, 9), stretch(verdict.Trusted, 10, 20), stretch(verdict.Poisoned, 21, 40)}))
}

// A step that begins anew in each epoch says nothing: the epoch does.
func TestStretchesByEpochWhereStepsBeginAnew(t *testing.T) {
	t.Parallel()
	good, bad := stretch(verdict.Trusted, 0, 300), stretch(verdict.Poisoned, 0, 300)
	good.Epoch = evidence.Span{Has: true, First: 1, Last: 4}
	bad.Epoch = evidence.Span{Has: true, First: 5, Last: 10}
	require.Equal(t, "TRUSTED epoch 1-4, POISONED from epoch 5 (last 0.5)", stretches([]verdict.Stretch{good, bad}))
	bad.Step = evidence.Span{Has: true, First: 301, Last: 600}
	require.Equal(t, "TRUSTED 0-300, POISONED from 301 (last 0.5)", stretches([]verdict.Stretch{good, bad}))
}
