package tfevents_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/trainvet/trainvet/logscan/metric/tfevents"
)

func read(t testing.TB, data []byte) ([]tfevents.Event, tfevents.Info, error) {
	t.Helper()
	var events []tfevents.Event
	info, err := tfevents.Read(context.Background(), bytes.NewReader(data), func(e *tfevents.Event) error {
		events = append(events, *e)
		return nil
	})
	return events, info, err
}

func lines(events []tfevents.Event) []string {
	var out []string
	for _, e := range events {
		for _, s := range e.Scalars {
			out = append(out, fmt.Sprintf("%s@%d=%s", s.Name, e.Step, s.Text))
		}
	}
	return out
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return data
}

func TestSimpleValues(t *testing.T) {
	t.Parallel()
	data := fixture(t, "simple.tfevents")
	events, info, err := read(t, data)
	require.NoError(t, err)
	require.Nil(t, info.Tail)
	require.Empty(t, info.Gaps)
	require.Equal(t, int64(len(data)), info.Bytes)
	require.Equal(t, "brain.Event:2", events[0].Version)
	require.Equal(t, []string{
		"train/loss@0=2", "epoch@0=0", "train/loss@10=1", "epoch@10=0.1", "train/loss@20=0.6666667", "epoch@20=0.2",
		"train/loss@30=0.5", "epoch@30=0.3", "train/loss@40=0.4", "epoch@40=0.4",
		"eval/accuracy@40=0.8431", "Loss/val@40=NaN", "big_id@40=7.234018e+16",
	}, lines(events))
	require.Equal(t, 1700000000.25, events[1].WallTime)
	last := events[len(events)-2]
	require.True(t, math.IsNaN(last.Scalars[0].Number))
	require.Equal(t, 1700000007.5, last.WallTime)
	for _, e := range events {
		require.Equal(t, uint64(e.End-e.Offset-16), binary.LittleEndian.Uint64(data[e.Offset:]))
	}
}

func TestTensorValues(t *testing.T) {
	t.Parallel()
	events, _, err := read(t, fixture(t, "tensor.tfevents"))
	require.NoError(t, err)
	require.Equal(t, []string{
		"epoch_loss@0=1", "epoch_accuracy@0=0.5", "epoch_loss@1=0.5", "epoch_accuracy@1=0.6",
		"epoch_loss@2=0.33333334", "epoch_accuracy@2=0.7",
	}, lines(events))
}

// Cut anywhere, the file gives a prefix of its events and no error; whether
// the cut is clean is said.
func TestEveryCut(t *testing.T) {
	t.Parallel()
	data := fixture(t, "tensor.tfevents")
	whole, _, err := read(t, data)
	require.NoError(t, err)
	ends := map[int64]bool{0: true}
	for _, e := range whole {
		ends[e.End] = true
	}
	for n := range data {
		events, info, err := read(t, data[:n])
		require.NoError(t, err, n)
		require.Empty(t, info.Gaps, n)
		require.Equal(t, lines(whole)[:len(lines(events))], append([]string{}, lines(events)...), n)
		if info.Tail == nil {
			require.True(t, ends[int64(n)], n)
			continue
		}
		require.Equal(t, int64(n), info.Tail.Offset+info.Tail.Size)
	}
}

// Any one damaged byte loses its own record and no other, and is said.
func TestEveryDamagedByte(t *testing.T) {
	t.Parallel()
	data := fixture(t, "tensor.tfevents")
	whole, _, err := read(t, data)
	require.NoError(t, err)
	for n := range data {
		bad := bytes.Clone(data)
		bad[n] ^= 0x40
		events, info, err := read(t, bad)
		require.NoError(t, err, n)
		require.Len(t, info.Gaps, 1, n)
		require.Len(t, events, len(whole)-1, n)
		g := info.Gaps[0]
		require.True(t, g.From <= int64(n) && int64(n) < g.To, "%d not in %+v", n, g)
	}
}

func TestZeroTail(t *testing.T) {
	t.Parallel()
	data := fixture(t, "tensor.tfevents")
	whole, _, _ := read(t, data)
	events, info, err := read(t, append(bytes.Clone(data), make([]byte, 200_000)...))
	require.NoError(t, err)
	require.Len(t, events, len(whole))
	require.Equal(t, []tfevents.Gap{{
		From: int64(len(data)), To: int64(len(data)) + 200_000, Why: "the length of a record does not verify", Zero: true,
	}}, info.Gaps)
}

// A hole that is larger than the read buffer, and a resynchronisation point
// that lies across its edge.
func TestHolesOfManySizes(t *testing.T) {
	t.Parallel()
	record := frame(event(1, 5, simple("loss", 0.5)))
	for _, n := range []int{1, 11, 12, 13, 65_525, 65_524, 65_536, 65_537, 131_050, 200_001} {
		hole := bytes.Repeat([]byte{0xAB}, n)
		events, info, err := read(t, bytes.Join([][]byte{record, hole, record, record}, nil))
		require.NoError(t, err, n)
		require.Len(t, events, 3, n)
		require.Len(t, info.Gaps, 1, n)
		require.Equal(t, int64(n), info.Gaps[0].To-info.Gaps[0].From, n)
	}
}

func TestLargeValuesAreNotHeld(t *testing.T) {
	t.Parallel()
	image := protowire.AppendTag(nil, 4, protowire.BytesType)
	image = protowire.AppendBytes(image, make([]byte, 10<<20))
	data := frame(event(1, 5, simple("before", 1), image, simple("after", 2)))
	got := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			events, _, err := read(b, data)
			if err != nil || len(events) != 1 || len(events[0].Scalars) != 2 {
				b.Fatal(events, err)
			}
		}
	})
	// Far below the 10 MiB of the image; the race detector adds some of its own.
	require.Less(t, got.AllocedBytesPerOp(), int64(3<<20))
}

func TestTensorTypes(t *testing.T) {
	t.Parallel()
	le := func(b ...byte) []byte { return b }
	for _, c := range []struct {
		name  string
		dtype uint64
		num   protowire.Number
		bytes []byte // packed value or content
		want  string
	}{
		{"float content", 1, 4, le(0, 0, 0, 0x3f), "0.5"},
		{"double content", 2, 4, binary.LittleEndian.AppendUint64(nil, math.Float64bits(0.1)), "0.1"},
		{"half content", 19, 4, le(0x00, 0x38), "0.5"},
		{"half infinite", 19, 4, le(0x00, 0x7c), "+Inf"},
		{"half subnormal", 19, 4, le(0x01, 0x00), "5.9604645e-08"},
		{"half val", 19, 13, protowire.AppendVarint(nil, 0xb800), "-0.5"},
		{"bfloat16 content", 14, 4, le(0x00, 0x3f), "0.5"},
		{"bfloat16 nan", 14, 4, le(0xc0, 0x7f), "NaN"},
		{"int64 content", 9, 4, binary.LittleEndian.AppendUint64(nil, 72340172838076673), "72340172838076673"},
		{"int64 val", 9, 10, protowire.AppendVarint(nil, 72340172838076673), "72340172838076673"},
		{"int32 negative", 3, 4, le(0xff, 0xff, 0xff, 0xff), "-1"},
		{"uint8", 4, 4, le(0xff), "255"},
		{"bool", 10, 11, protowire.AppendVarint(nil, 1), "1"},
		{"double val", 2, 6, binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.Inf(-1))), "-Inf"},
		{"float val", 1, 5, le(0, 0, 0, 0x3f), "0.5"},
		{"zero without value", 1, 2, nil, "0"},
		{"string", 7, 8, []byte("hello"), ""},
		{"content of two", 1, 4, make([]byte, 12), ""},
	} {
		tensor := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), c.dtype)
		tensor = protowire.AppendBytes(protowire.AppendTag(tensor, c.num, protowire.BytesType), c.bytes)
		v := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "x")
		v = protowire.AppendBytes(protowire.AppendTag(v, 8, protowire.BytesType), tensor)
		events, _, err := read(t, frame(event(1, 1, v)))
		require.NoError(t, err, c.name)
		if c.want == "" {
			require.Empty(t, events, c.name)
			continue
		}
		require.Equal(t, []string{"x@1=" + c.want}, lines(events), c.name)
	}
}

func TestSessionLog(t *testing.T) {
	t.Parallel()
	log := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 3)
	log = protowire.AppendString(protowire.AppendTag(log, 2, protowire.BytesType), "model.ckpt-500")
	e := protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), 500)
	e = protowire.AppendBytes(protowire.AppendTag(e, 7, protowire.BytesType), log)
	events, _, err := read(t, frame(e))
	require.NoError(t, err)
	require.Equal(t, tfevents.SessionCheckpoint, events[0].Session)
	require.Equal(t, "model.ckpt-500", events[0].Checkpoint)
	require.Equal(t, int64(500), events[0].Step)
}

func TestOtherFilesAreRefused(t *testing.T) {
	t.Parallel()
	_, _, err := read(t, bytes.Repeat([]byte("loss 0.5\n"), 1000))
	var not *tfevents.NotEventsError
	require.ErrorAs(t, err, &not)
	require.Equal(t, int64(9000), not.Bytes)
	_, info, err := read(t, nil)
	require.NoError(t, err)
	require.Zero(t, info.Records)
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	data := fixture(t, "simple.tfevents")
	_, err := tfevents.Read(context.Background(), iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(data))), func(*tfevents.Event) error { return nil })
	require.ErrorIs(t, err, iotest.ErrTimeout)
	ctx, cancel := context.WithCancel(context.Background())
	_, err = tfevents.Read(ctx, bytes.NewReader(data), func(*tfevents.Event) error { cancel(); return nil })
	require.ErrorIs(t, err, context.Canceled)
}

// What follows writes events, for cases that no writer at hand produces.

func simple(tag string, f float32) []byte {
	v := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), tag)
	return protowire.AppendFixed32(protowire.AppendTag(v, 2, protowire.Fixed32Type), math.Float32bits(f))
}

func event(wall float64, step uint64, values ...[]byte) []byte {
	var summary []byte
	for _, v := range values {
		summary = protowire.AppendBytes(protowire.AppendTag(summary, 1, protowire.BytesType), v)
	}
	e := protowire.AppendFixed64(protowire.AppendTag(nil, 1, protowire.Fixed64Type), math.Float64bits(wall))
	e = protowire.AppendVarint(protowire.AppendTag(e, 2, protowire.VarintType), step)
	return protowire.AppendBytes(protowire.AppendTag(e, 5, protowire.BytesType), summary)
}

func frame(data []byte) []byte {
	sum := func(b []byte) uint32 {
		c := crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
		return (c>>15 | c<<17) + 0xa282ead8
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	b = binary.LittleEndian.AppendUint32(b, sum(b))
	b = append(b, data...)
	return binary.LittleEndian.AppendUint32(b, sum(data))
}

// FuzzTFEvents: no input panics, every event lies inside the file in order,
// and what was lost or cut is accounted for. Since sums keep random bytes out,
// the input is also tried as the data of a record.
func FuzzTFEvents(f *testing.F) {
	f.Add(fixture(f, "tensor.tfevents"), false)
	f.Add(frame(event(1, 2, simple("loss", 1))), false)
	f.Add(event(1, 2, simple("loss", 1), simple("acc", 2)), true)
	f.Fuzz(func(t *testing.T, data []byte, framed bool) {
		if framed {
			data = frame(data)
		}
		events, info, _ := read(t, data)
		at := int64(0)
		for _, e := range events {
			if e.Offset < at || e.End > int64(len(data)) {
				t.Fatalf("event [%d, %d) behind %d of %d", e.Offset, e.End, at, len(data))
			}
			at = e.End
		}
		if info.Bytes != int64(len(data)) {
			t.Fatalf("%d of %d bytes accounted for", info.Bytes, len(data))
		}
	})
}
