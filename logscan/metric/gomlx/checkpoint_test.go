package gomlx_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/gomlx"
)

// made is a checkpoint as GoMLX v0.28.2 writes it.
type made struct {
	names []string
	bytes bytes.Buffer
}

func (m *made) add(t *testing.T, path, dtype, dims string, values any) {
	t.Helper()
	at := m.bytes.Len()
	require.NoError(t, binary.Write(&m.bytes, binary.LittleEndian, values))
	m.names = append(m.names, fmt.Sprintf(`{"ParameterName": "var:%s", "Dimensions": %s, "DType": %q, "Pos": %d, "Length": %d}`,
		path, dims, dtype, at, m.bytes.Len()-at))
}

func (m *made) list() string {
	return `{"Params": [{"Scope": "/", "Key": "initializer_seed", "Value": 1, "ValueType": "int64"}], "Variables": [` + strings.Join(m.names, ", ") + `], "BinFormat": "gzip"}`
}

func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("gomlx_checkpointss\x04gzip")
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

func example(t *testing.T) *made {
	m := &made{}
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	m.add(t, "/model/w", "Float32", "[2, 3]", []float32{1, nan, 3, inf, 5, 6})
	m.add(t, "/global_step", "Int64", "null", int64(60))
	m.add(t, "/trainvet/attempted", "Int64", "null", int64(65))
	m.add(t, "/trainvet/applied", "Int64", "null", int64(60))
	m.add(t, "/trainvet/scale", "Float64", "null", 2048.0)
	m.add(t, "/trainvet/finite", "Bool", "null", true)
	m.add(t, "/half", "Float16", "[3]", []uint16{0x3c00, 0x7c00, 0x7bff})
	m.add(t, "/brain", "BFloat16", "[2]", []uint16{0x3f80, 0x7fc0})
	m.add(t, "/strange", "Int4", "[2]", []byte{7})
	m.add(t, "/scalar_half", "Float16", "null", uint16(0xc100))
	m.add(t, "/lr", "Float32", "null", float32(0.25))
	return m
}

func TestRead(t *testing.T) {
	m := example(t)
	for name, data := range map[string][]byte{"packed": packed(t, m.bytes.Bytes()), "plain": m.bytes.Bytes()} {
		t.Run(name, func(t *testing.T) {
			c, err := gomlx.Read(t.Context(), strings.NewReader(m.list()), bytes.NewReader(data))
			require.NoError(t, err)
			require.Equal(t, 11, c.Variables)
			require.Equal(t, map[string]float64{"/global_step": 60, "/trainvet/attempted": 65, "/trainvet/applied": 60,
				"/trainvet/scale": 2048, "/trainvet/finite": 1, "/scalar_half": -2.5, "/lr": 0.25}, c.Scalars)
			require.Equal(t, []gomlx.NonFinite{{Path: "/model/w", N: 2, Of: 6}, {Path: "/half", N: 1, Of: 3}, {Path: "/brain", N: 1, Of: 2}}, c.NonFinite)
			require.Equal(t, []string{"/strange"}, c.Unread)
		})
	}
}

// TestReadCut: a checkpoint that was not written whole is said to be so,
// wherever it ends, and nothing beyond its end is made up.
func TestReadCut(t *testing.T) {
	m := example(t)
	for name, data := range map[string][]byte{"packed": packed(t, m.bytes.Bytes()), "plain": m.bytes.Bytes()} {
		for n := range data {
			_, err := gomlx.Read(t.Context(), strings.NewReader(m.list()), bytes.NewReader(data[:n]))
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%s, %d of %d bytes", name, n, len(data))
		}
	}
}

func TestReadRefuses(t *testing.T) {
	var not *gomlx.NotCheckpointError
	for name, list := range map[string]string{
		"no variables": `{"Params": []}`,
		"overlap":      `{"Variables": [{"ParameterName": "var:/a", "DType": "Int8", "Pos": 0, "Length": 4}, {"ParameterName": "var:/b", "DType": "Int8", "Pos": 2, "Length": 4}]}`,
		"negative":     `{"Variables": [{"ParameterName": "var:/a", "DType": "Int8", "Pos": -1, "Length": 4}]}`,
		"length":       `{"Variables": [{"ParameterName": "var:/a", "DType": "Int8", "Pos": 0, "Length": -4}]}`,
	} {
		_, err := gomlx.Read(t.Context(), strings.NewReader(list), strings.NewReader("0123456789"))
		require.ErrorAs(t, err, &not, name)
	}
	_, err := gomlx.Read(t.Context(), strings.NewReader(example(t).list()), strings.NewReader("gomlx_checkpointss\x04zstd...."))
	var unknown *gomlx.UnknownPackingError
	require.ErrorAs(t, err, &unknown)
}

func FuzzRead(f *testing.F) {
	m := &made{names: []string{`{"ParameterName": "var:/w", "DType": "Float32", "Dimensions": [1], "Pos": 0, "Length": 4}`}}
	m.bytes.WriteString("\x00\x00\xc0\x7f")
	f.Add([]byte(m.list()), m.bytes.Bytes())
	f.Add([]byte(m.list()), []byte("gomlx_checkpointss\x04gzip\x1f\x8b"))
	f.Add([]byte(`{"Variables": [{"Pos": 9223372036854775807, "Length": 9223372036854775807, "DType": "Float32"}]}`), []byte("x"))
	f.Fuzz(func(t *testing.T, list, data []byte) {
		c, err := gomlx.Read(context.Background(), bytes.NewReader(list), bytes.NewReader(data))
		var total int64
		for _, bad := range c.NonFinite {
			total += bad.N
		}
		if err == nil && total > 0 && len(data) == 0 {
			t.Errorf("%d values out of nothing", total)
		}
		if err != nil && errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("the end of the file is no error of a reader: %v", err)
		}
	})
}
