package tfevents

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/trainvet/trainvet/logscan/metric/value"
)

// Event is one record that says something about the run.
type Event struct {
	Offset   int64
	End      int64
	WallTime float64 // seconds since 1970; 0: not said
	Step     int64
	Version  string // file_version, in the first record of a file
	Session  Session
	// Checkpoint is the path that a session log names.
	Checkpoint string
	// Scalars are the values, by tag. Text is the shortest form that gives the
	// stored number back.
	Scalars []value.Value
}

// Session is what a session log says.
type Session int

// States of a session.
const (
	NoSession Session = iota
	SessionStart
	SessionStop
	SessionCheckpoint
)

// Fields of the messages, by name.
const (
	eventWallTime = 1
	eventStep     = 2
	eventVersion  = 3
	eventSummary  = 5
	eventSession  = 7

	summaryValue = 1

	valueTag      = 1
	valueSimple   = 2
	valueTensor   = 8
	valueMetadata = 9

	metadataPlugin = 1
	pluginName     = 1

	sessionStatus     = 1
	sessionCheckpoint = 2
)

// maxHeld is the largest value, session log or version that is looked into. A
// scalar takes some dozen bytes.
const maxHeld = 64 << 10

// maxScalars bounds one event: beyond, it is no summary of a training run.
const maxScalars = 1 << 16

type decoder struct{ buf []byte }

// event reads one payload.
func (d *decoder) event(p *payload, e *Event) error {
	return d.fields(p, p.left, func(num protowire.Number, typ protowire.Type, n int64) error {
		switch {
		case num == eventWallTime && typ == protowire.Fixed64Type:
			b, err := p.read(d.buf[:0], 8)
			if err != nil {
				return err
			}
			e.WallTime = math.Float64frombits(binary.LittleEndian.Uint64(b))
			return nil
		case num == eventStep && typ == protowire.VarintType:
			v, err := binary.ReadUvarint(p)
			e.Step = int64(v)
			return malformed(err)
		case num == eventVersion && typ == protowire.BytesType && n <= maxHeld:
			b, err := p.read(d.buf[:0], n)
			e.Version = string(b)
			return err
		case num == eventSession && typ == protowire.BytesType && n <= maxHeld:
			return d.session(p, n, e)
		case num == eventSummary && typ == protowire.BytesType:
			return d.summary(p, n, e)
		}
		return d.pass(p, typ, n)
	})
}

func (d *decoder) summary(p *payload, n int64, e *Event) error {
	return d.fields(p, n, func(num protowire.Number, typ protowire.Type, n int64) error {
		if num != summaryValue || typ != protowire.BytesType || n > maxHeld || len(e.Scalars) >= maxScalars {
			return d.pass(p, typ, n)
		}
		b, err := p.read(d.buf[:0], n)
		d.buf = b[:0]
		if err != nil {
			return err
		}
		if v, ok := scalar(b); ok {
			v.Offset = e.Offset
			e.Scalars = append(e.Scalars, v)
		}
		return nil
	})
}

// fields calls each for every field of the next n bytes; for a field of bytes
// with its length. each must consume the field.
func (d *decoder) fields(p *payload, n int64, each func(protowire.Number, protowire.Type, int64) error) error {
	if n > p.left {
		return errMalformed
	}
	for rest := p.left - n; p.left > rest; {
		tag, err := binary.ReadUvarint(p)
		if err != nil {
			return malformed(err)
		}
		num, typ := protowire.DecodeTag(tag)
		if num < 1 {
			return errMalformed
		}
		size := int64(0)
		if typ == protowire.BytesType {
			l, err := binary.ReadUvarint(p)
			if err != nil {
				return malformed(err)
			}
			if p.left < rest || l > uint64(p.left-rest) {
				return errMalformed
			}
			size = int64(l)
		}
		if err := each(num, typ, size); err != nil {
			return err
		}
		if p.left < rest {
			return errMalformed
		}
	}
	return nil
}

func (d *decoder) pass(p *payload, typ protowire.Type, n int64) error {
	switch typ {
	case protowire.VarintType:
		_, err := binary.ReadUvarint(p)
		return malformed(err)
	case protowire.Fixed32Type:
		return p.skip(4)
	case protowire.Fixed64Type:
		return p.skip(8)
	case protowire.BytesType:
		return p.skip(n)
	}
	return errMalformed
}

// malformed tells a payload that ends inside a field from a stream that ends.
func malformed(err error) error {
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return errMalformed
}

func (d *decoder) session(p *payload, n int64, e *Event) error {
	b, err := p.read(nil, n)
	if err != nil {
		return err
	}
	return each(b, func(num protowire.Number, typ protowire.Type, raw []byte, v uint64) {
		switch {
		case num == sessionStatus && typ == protowire.VarintType && v <= uint64(SessionCheckpoint):
			e.Session = Session(v)
		case num == sessionCheckpoint && typ == protowire.BytesType:
			e.Checkpoint = string(raw)
		}
	})
}

// each walks a message in memory.
func each(b []byte, field func(num protowire.Number, typ protowire.Type, raw []byte, v uint64)) error {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return errMalformed
		}
		b = b[n:]
		var raw []byte
		var v uint64
		switch typ {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			var w uint32
			w, n = protowire.ConsumeFixed32(b)
			v = uint64(w)
		case protowire.Fixed64Type:
			v, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			raw, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(num, typ, b)
		}
		if n < 0 {
			return errMalformed
		}
		field(num, typ, raw, v)
		b = b[n:]
	}
	return nil
}

// scalar reads one Summary.Value; false where it holds no single number. A
// value that is no message is not a scalar either: the frame's sum holds, so
// it was written so.
func scalar(b []byte) (value.Value, bool) {
	var v value.Value
	var plugin string
	found := false
	err := each(b, func(num protowire.Number, typ protowire.Type, raw []byte, bits uint64) {
		switch {
		case num == valueTag && typ == protowire.BytesType:
			v.Name = string(raw)
		case num == valueSimple && typ == protowire.Fixed32Type:
			f := math.Float32frombits(uint32(bits))
			v.Number, v.Text, found = float64(f), float32Text(f), true
		case num == valueTensor && typ == protowire.BytesType:
			if number, text, ok := tensor(raw); ok {
				v.Number, v.Text, found = number, text, true
			}
		case num == valueMetadata && typ == protowire.BytesType:
			plugin = pluginOf(raw)
		}
	})
	return v, err == nil && found && v.Name != "" && (plugin == "" || plugin == "scalars")
}

func pluginOf(metadata []byte) string {
	var name string
	_ = each(metadata, func(num protowire.Number, typ protowire.Type, raw []byte, _ uint64) {
		if num == metadataPlugin && typ == protowire.BytesType {
			_ = each(raw, func(num protowire.Number, typ protowire.Type, raw []byte, _ uint64) {
				if num == pluginName && typ == protowire.BytesType {
					name = string(raw)
				}
			})
		}
	})
	return name
}

func float32Text(f float32) string { return strconv.FormatFloat(float64(f), 'g', -1, 32) }
