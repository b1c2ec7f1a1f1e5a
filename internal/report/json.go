package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trainvet/trainvet/logscan/verdict"
)

// JSON prints the result contract: indented, one final newline.
func JSON() Printer { return jsonPrinter{} }

type jsonPrinter struct{}

func (jsonPrinter) Result(w io.Writer, r *verdict.Result) error {
	whole := *r
	if whole.Claims == nil { // a reader may count on the arrays that are always written
		whole.Claims = []verdict.Subject{}
	}
	if whole.Sources == nil {
		whole.Sources = []verdict.SourceLine{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&whole); err != nil {
		return fmt.Errorf("encoding the result as json: %w", err)
	}
	if _, err := w.Write(escapeUnprintable(b.Bytes())); err != nil {
		return fmt.Errorf("writing the json report: %w", err)
	}
	return nil
}

// escapeUnprintable turns characters that encoding/json passes on, and that a
// terminal obeys or hides (C1 controls, DEL, direction marks), into \u escapes.
// They stand only inside strings, so the document means the same.
func escapeUnprintable(doc []byte) []byte {
	out := make([]byte, 0, len(doc))
	for len(doc) > 0 {
		r, size := utf8.DecodeRune(doc)
		switch {
		case r == '\n' || unicode.IsPrint(r):
			out = append(out, doc[:size]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		doc = doc[size:]
	}
	return out
}
