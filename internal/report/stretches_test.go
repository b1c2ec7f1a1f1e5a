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
