package supervise

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSurplus(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 8, 10, 0, 0, 0, 0, time.UTC)
	all := []Listed{
		{ID: "a", State: Closed, Ended: now.AddDate(0, 0, -9), Size: 10},
		{ID: "b", State: Open, Size: 1000},
		{ID: "c", State: Closed, Ended: now.AddDate(0, 0, -5), Size: 10},
		{ID: "d", State: Running},
		{ID: "e", State: Orphaned},
		{ID: "f", State: Closed, Ended: now.AddDate(0, 0, -1), Size: 10},
	}
	for _, tt := range []struct {
		keep Retention
		want []string
	}{
		{Retention{}, nil},
		{Retention{Runs: 3}, nil},
		{Retention{Runs: 2}, []string{"a"}},
		{Retention{Runs: 1}, []string{"a", "c"}},
		{Retention{Age: 7 * 24 * time.Hour}, []string{"a"}},
		{Retention{Size: 25}, []string{"a"}},
		{Retention{Size: 5, Runs: 3}, []string{"a", "c", "f"}},
	} {
		var got []string
		for _, l := range Surplus(all, tt.keep, now) {
			got = append(got, l.ID)
		}
		require.Equal(t, tt.want, got, tt.keep)
	}
	require.Error(t, Remove(all[3]), "a run that goes on")
}

func TestNoRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all, err := List(dir + "/none")
	require.NoError(t, err)
	require.Empty(t, all)
	_, err = Find(dir, "")
	require.ErrorIs(t, err, ErrNoRun)
}
