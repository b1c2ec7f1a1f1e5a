package wandb_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/wandb"
)

type read struct {
	history []wandb.History
	out     strings.Builder
	runs    []wandb.Run
	info    wandb.Info
}

func readAll(t testing.TB, data []byte) (*read, error) {
	t.Helper()
	var r read
	var err error
	r.info, err = wandb.Read(context.Background(), iotest.HalfReader(bytes.NewReader(data)), wandb.Handler{
		History: func(h *wandb.History) error { r.history = append(r.history, *h); return nil },
		Output:  func(o *wandb.Output) error { r.out.WriteString(o.Text); return nil },
		Run:     func(s *wandb.Run) error { r.runs = append(r.runs, *s); return nil },
	})
	return &r, err
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		data, err = io.ReadAll(z)
		require.NoError(t, err)
	}
	return data
}

func line(h wandb.History) string {
	var b strings.Builder
	fmt.Fprint(&b, h.Step, ":")
	for _, v := range h.Values {
		if !strings.HasPrefix(v.Name, "_") {
			fmt.Fprintf(&b, " %s=%s", v.Name, v.Text)
		}
	}
	return b.String()
}

func TestSmallRun(t *testing.T) {
	t.Parallel()
	data := fixture(t, "small.wandb")
	r, err := readAll(t, data)
	require.NoError(t, err)
	var got []string
	for _, h := range r.history {
		require.True(t, h.HasStep)
		got = append(got, line(h))
	}
	require.Equal(t, []string{
		"0: opt/lr=0 train/global_step=0 train/loss=3", "1: opt/lr=0.0001 train/global_step=10 train/loss=1.5",
		"2: opt/lr=0.0002 train/global_step=20 train/loss=1", "3: opt/lr=0.00030000000000000003 train/global_step=30 train/loss=0.75",
		"4: opt/lr=0.0004 train/global_step=40 train/loss=0.6", "5: opt/lr=0.0005 train/global_step=50 train/loss=0.5",
		"6: eval/acc=0.75 eval/loss=NaN inf=Infinity",
	}, got)
	require.Equal(t, "console step 0 loss 3.0\n", r.out.String()[:24])
	require.Equal(t, 6, strings.Count(r.out.String(), "\n"))
	require.Equal(t, "mi3leher", r.runs[0].ID)
	require.Equal(t, 0, *r.info.Exit)
	require.Nil(t, r.info.Tail)
	require.Empty(t, r.info.Gaps)
	require.Zero(t, r.info.Bad)
	require.Equal(t, int64(76), r.info.Records)
	require.Equal(t, int64(len(data)), r.info.Bytes)

	var summary []string
	for _, v := range r.info.Summary {
		if !strings.HasPrefix(v.Name, "_") {
			summary = append(summary, v.Name+"="+v.Text)
		}
	}
	require.Equal(t, []string{"eval/acc=0.75", "eval/loss=NaN", "inf=Infinity", "opt/lr=0.0005", "train/global_step=50", "train/loss=0.5"}, summary)
}

func TestRecordsAcrossBlocks(t *testing.T) {
	t.Parallel()
	r, err := readAll(t, fixture(t, "blocks.wandb.gz"))
	require.NoError(t, err)
	require.Len(t, r.history, 300)
	require.Empty(t, r.info.Gaps)
	for i, h := range r.history {
		require.Equal(t, int64(i), h.Step)
	}
	require.Equal(t, "299: acc=0.9966666666666667 train/loss=0.01", line(r.history[299]))
}

// Cut anywhere, the file gives a prefix of its records and no error.
func TestEveryCut(t *testing.T) {
	t.Parallel()
	data := fixture(t, "small.wandb")
	whole, _ := readAll(t, data)
	clean := 0
	for n := 7; n < len(data); n++ {
		r, err := readAll(t, data[:n])
		require.NoError(t, err, n)
		require.Empty(t, r.info.Gaps, n)
		for i, h := range r.history {
			require.Equal(t, line(whole.history[i]), line(h))
		}
		if r.info.Tail == nil {
			clean++
		} else {
			require.Equal(t, int64(n), r.info.Tail.Offset+r.info.Tail.Size)
		}
	}
	require.Equal(t, 76, clean, "cuts between two records are clean")
}

// A damaged byte in the data of a record loses that record only; in its
// header it may lose the block. Either is said, with its place.
func TestEveryDamagedByte(t *testing.T) {
	t.Parallel()
	data := fixture(t, "small.wandb")
	for n := 7; n < len(data); n += 3 {
		bad := bytes.Clone(data)
		bad[n] ^= 0x11
		r, err := readAll(t, bad)
		require.NoError(t, err, n)
		if len(r.info.Gaps) == 0 {
			require.NotNil(t, r.info.Tail, n) // a length that reaches behind the end
			continue
		}
		g := r.info.Gaps[0]
		require.True(t, g.From <= int64(n) && int64(n) < g.To, "%d not in %+v", n, g)
	}
}

func TestDamageInOneBlockLeavesTheOthers(t *testing.T) {
	t.Parallel()
	data := bytes.Clone(fixture(t, "blocks.wandb.gz"))
	for i := 400_000; i < 401_000; i++ {
		data[i] ^= 0x55
	}
	r, err := readAll(t, data)
	require.NoError(t, err)
	require.NotEmpty(t, r.info.Gaps)
	require.Greater(t, len(r.history), 250)
	require.Equal(t, int64(299), r.history[len(r.history)-1].Step)
}

func TestZeroTail(t *testing.T) {
	t.Parallel()
	r, err := readAll(t, append(bytes.Clone(fixture(t, "small.wandb")), make([]byte, 100_000)...))
	require.NoError(t, err)
	require.Len(t, r.history, 7)
	require.Len(t, r.info.Gaps, 1)
	require.True(t, r.info.Gaps[0].Zero)
}

func TestOtherFilesAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "loss: 0.5\n", ":W&B\x00\x00\x00"} {
		_, err := readAll(t, []byte(text))
		var not *wandb.NotWandbError
		require.ErrorAs(t, err, &not, "%q", text)
	}
}

func TestErrorsArePassedOn(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	_, err := wandb.Read(context.Background(), bytes.NewReader(fixture(t, "small.wandb")), wandb.Handler{
		History: func(*wandb.History) error { return stop },
	})
	require.ErrorIs(t, err, stop)
	_, err = wandb.Read(context.Background(), iotest.ErrReader(stop), wandb.Handler{})
	require.ErrorIs(t, err, stop)
}

// FuzzWandb: no input panics; records are inside the file and in order. Since
// sums keep random bytes out, the input is also tried as the data of a record.
func FuzzWandb(f *testing.F) {
	small := fixture(f, "small.wandb")
	f.Add(small[:900], false)
	f.Add(small[556+7:556+7+143], true)
	f.Add([]byte(":W&B\xe1\xbe\x00"), false)
	f.Fuzz(func(t *testing.T, data []byte, framed bool) {
		if framed {
			data = append([]byte(":W&B\xe1\xbe\x00"), chunk(1, data[:min(len(data), 30_000)])...)
		}
		r, _ := readAll(t, data)
		at := int64(0)
		for _, h := range r.history {
			if h.Offset < at && h.End != at || h.End > int64(len(data)) || h.End <= h.Offset {
				t.Fatalf("record [%d, %d) behind %d of %d", h.Offset, h.End, at, len(data))
			}
			at = h.End
		}
		if r.info.Bytes > int64(len(data)) {
			t.Fatal("more bytes than there are")
		}
	})
}

func chunk(typ byte, data []byte) []byte {
	body := append([]byte{typ}, data...)
	b := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(body))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
	return append(b, body...)
}
