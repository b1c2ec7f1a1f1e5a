package source

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every layout that logs print is read back as the time that was printed.
func TestStampsAreReadBack(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	layouts := []string{
		"2006-01-02 15:04:05.000000", "2006-01-02T15:04:05.999999999Z07:00", "2006/01/02 15:04:05", "20060102 15:04:05.000",
		"01/02/2006 15:04:05", "02.01.2006 15:04:05", "Jan _2 15:04:05 2006", "Mon Jan _2 15:04:05 2006",
		"2006-01-02 15:04:05,000", "2006-01-02 15:04:05-0700", "2006-01-02_15:04:05", "06/01/02 15:04:05", "01/02/2006 03:04:05 PM",
	}
	zones := []*time.Location{time.UTC, time.FixedZone("", 3600*5+1800), time.FixedZone("", -3600*8)}
	for range 5000 {
		at := time.Unix(rng.Int64N(2e9)+1e9, rng.Int64N(1e9))
		zone := zones[rng.IntN(len(zones))]
		layout := layouts[rng.IntN(len(layouts))]
		text := at.In(zone).Format(layout)
		want, err := time.ParseInLocation(layout, text, zone)
		require.NoError(t, err)
		st := Style{TZ: zone}
		p, rest := st.Prefix([]byte(text + " loss 0.5"))
		require.Equal(t, want.UnixNano(), p.Time, "%s as %s", text, layout)
		require.Equal(t, "loss 0.5", string(rest), text)
	}
}

func TestNoStamps(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"2026-13-02 10:11:12 x", "2026-01-32 10:11:12 x", "2026-01-02 10:61:12 x", "2026-01-02 x", "2026-01 10:11:12 x",
		"99/99 10:11:12 x", "I1302 10:11:12.1 12 a.py:1] x", "Jan 40 10:11:12 x", "Foo  2 10:11:12 x", "12345678 10:11:12 x",
		"0102 10:11:12 x", "2026-01-02 10:11:123 x", "1/2 10:11:12 x",
	} {
		p, rest := ReadPrefix([]byte(text))
		require.Equal(t, text, string(rest))
		require.Zero(t, p.Time)
	}
}

func TestNamedZone(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zone data")
	}
	st := Style{TZ: zone}
	p, _ := st.Prefix([]byte("2026-07-02 10:11:12 x"))
	require.Equal(t, time.Date(2026, 7, 2, 8, 11, 12, 0, time.UTC).UnixNano(), p.Time)
	require.False(t, p.Zone)
}
