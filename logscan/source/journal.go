package source

import (
	"bytes"
	"strconv"
	"time"
)

// unwrapJournal reads one entry of journalctl -o json (or json-seq) and writes
// it as the journal prints it with a zone: "2026-03-03T10:00:00.000001Z host
// program[12]: text". A message that is no UTF-8 is a list of bytes there.
func unwrapJournal(dst, line []byte) ([]byte, bool) {
	var at int64
	var host, program, pid, text []byte
	var said bool
	ok := eachField(bytes.TrimLeft(line, "\x1e"), func(key, value []byte) bool {
		switch string(key) {
		case "__REALTIME_TIMESTAMP":
			at, _ = strconv.ParseInt(string(bytes.Trim(value, `"`)), 10, 64)
		case "_HOSTNAME":
			host = stringOf(value)
		case "SYSLOG_IDENTIFIER":
			program = stringOf(value)
		case "_COMM":
			if program == nil {
				program = stringOf(value)
			}
		case "_PID", "SYSLOG_PID":
			pid = stringOf(value)
		case "MESSAGE":
			if text = stringOf(value); text == nil {
				text = byteList(value)
			}
			said = true
		}
		return true
	})
	if !ok || !said || at <= 0 {
		return dst, false
	}
	dst = time.UnixMicro(at).UTC().AppendFormat(dst, "2006-01-02T15:04:05.000000Z07:00")
	dst = append(append(dst, ' '), orWord(host, "host")...)
	dst = append(append(dst, ' '), orWord(program, "unknown")...)
	if len(pid) > 0 {
		dst = append(append(append(dst, '['), pid...), ']')
	}
	dst = append(dst, ": "...)
	oneLine(text)
	return append(dst, text...), true
}

func orWord(b []byte, word string) []byte {
	if len(b) == 0 || bytes.ContainsAny(b, " \n") {
		return []byte(word)
	}
	return b
}

// byteList reads [78,86,82,77].
func byteList(b []byte) []byte {
	var out []byte
	for _, n := range bytes.Split(bytes.Trim(b, "[] "), []byte{','}) {
		if c, err := strconv.ParseUint(string(bytes.TrimSpace(n)), 10, 8); err == nil {
			out = append(out, byte(c))
		}
	}
	return out
}
