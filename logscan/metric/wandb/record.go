package wandb

import (
	"errors"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

// Fields of the messages, by name.
const (
	recordHistory   = 2
	recordSummary   = 3
	recordOutput    = 4
	recordOutputRaw = 13
	recordRun       = 17
	recordExit      = 18

	historyItem = 1
	historyStep = 2
	stepNum     = 1

	itemKey       = 1
	itemNestedKey = 2
	itemInteger   = 5
	itemNumber    = 6
	itemJSON      = 8
	itemValueJSON = 16

	summaryUpdate = 1
	summaryRemove = 2

	outputType = 1
	outputTime = 2
	outputLine = 3

	runID        = 1
	runHost      = 13
	runStart     = 14
	runStartTime = 17
	runResumed   = 18

	exitCode = 1

	timeSeconds = 1
	timeNanos   = 2
)

var errMalformed = errors.New("malformed record")

// walk calls field for every field of a message.
func walk(b []byte, field func(num protowire.Number, typ protowire.Type, raw []byte, v uint64)) error {
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

// item is a key with its value, of a history or a summary.
type item struct {
	key  string
	json string
}

// parseItem reads a key and a value in whichever field it stands.
func parseItem(b []byte) (item, error) {
	var it item
	var path []string
	err := walk(b, func(num protowire.Number, typ protowire.Type, raw []byte, v uint64) {
		switch {
		case num == itemKey && typ == protowire.BytesType:
			it.key = string(raw)
		case num == itemNestedKey && typ == protowire.BytesType:
			path = append(path, string(raw))
		case (num == itemValueJSON || num == itemJSON) && typ == protowire.BytesType:
			it.json = string(raw)
		case num == itemNumber && typ == protowire.Fixed64Type:
			it.json = formatFloat(v)
		case num == itemInteger && typ == protowire.VarintType:
			it.json = formatInt(protowire.DecodeZigZag(v))
		}
	})
	if len(path) > 0 {
		it.key = strings.Join(path, "/")
	}
	return it, err
}

// values reads what an item holds: a number, or an object of numbers.
func (it item) values(json *tolerant.Reader, offset int64, to []value.Value) []value.Value {
	if f, ok := value.Parse(it.json); ok {
		return append(to, value.Value{Name: it.key, Text: it.json, Number: f, Offset: offset})
	}
	if !strings.HasPrefix(it.json, "{") && !strings.HasPrefix(it.json, `"`) {
		return to
	}
	json.Reset(strings.NewReader(it.json), 0, 1)
	v, err := json.ReadValue()
	if err != nil {
		return to
	}
	if f, ok := v.Float(); ok {
		return append(to, value.Value{Name: it.key, Text: v.Text, Number: f, Quoted: true, Offset: offset})
	}
	// A picture, a table or a histogram names its type; its numbers are sizes.
	if v.Kind != tolerant.Object || v.Get("_type") != nil {
		return to
	}
	for _, n := range v.Numbers(2) {
		n.Name, n.Offset = it.key+"/"+n.Name, offset
		to = append(to, n)
	}
	return to
}

func timestamp(b []byte) time.Time {
	var sec, nano int64
	_ = walk(b, func(num protowire.Number, typ protowire.Type, _ []byte, v uint64) {
		switch {
		case num == timeSeconds && typ == protowire.VarintType:
			sec = int64(v)
		case num == timeNanos && typ == protowire.VarintType:
			nano = int64(int32(v))
		}
	})
	return time.Unix(sec, nano)
}
