package order

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

func at(n float64) evidence.Span {
	return evidence.Span{Has: true, First: evidence.Num(n), Last: evidence.Num(n)}
}

// A counter at a bound is a moment only for rows that measure the same: the
// evaluation that ends an epoch may lie behind a fault that the epoch's first
// losses lie before.
func TestBracketAtItsBounds(t *testing.T) {
	t.Parallel()
	loss, eval := []string{"loss", "lr"}, []string{"val_loss"}
	var b Bracket
	b.narrow(at(100), loss, Before)
	b.narrow(at(200), loss, After)
	cases := []struct {
		name  string
		step  float64
		names []string
		want  Relation
	}{
		{"the same loss of another rank, at the last step before", 100, []string{"loss"}, Before},
		{"the evaluation at the last step before", 100, eval, Unproven},
		{"the evaluation of an earlier step", 99, eval, Before},
		{"one of several rows at the last step before", 100, nil, Unproven},
		{"between the bounds", 150, loss, Unproven},
		{"the evaluation at the first step after", 200, eval, Unproven},
		{"the same loss at the first step after", 200, loss, After},
		{"the evaluation of a later step", 201, eval, After},
	}
	for _, c := range cases {
		require.Equal(t, c.want, b.place(at(c.step), c.names), c.name)
	}
	require.Equal(t, Unproven, b.place(evidence.Span{}, loss), "no counter")
}

// Rows at the bound add what they measure.
func TestBracketJoins(t *testing.T) {
	t.Parallel()
	var b Bracket
	b.narrow(at(100), []string{"loss"}, Before)
	b.narrow(at(100), []string{"val_loss"}, Before)
	require.Equal(t, Before, b.place(at(100), []string{"val_loss"}))
	b.narrow(at(101), nil, Before)
	require.Equal(t, Unproven, b.place(at(101), []string{"loss"}), "a table with several rows at step 101")
	require.Equal(t, Before, b.place(at(100), []string{"any"}))
}
