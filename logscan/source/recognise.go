package source

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"path"
	"slices"
	"strings"
)

// sniffSize is how much of a file is looked at to tell what it is.
const sniffSize = 16 << 10

// magics tell files that are no text by their first bytes.
var magics = [...]struct {
	bytes string
	at    int
	kind  Kind
}{
	{":W&B", 0, Wandb},
	{"PK\x03\x04", 0, Archive},
	{"\x89HDF\r\n", 0, Checkpoint},
	{"GGUF", 0, Checkpoint},
	{"\x93NUMPY", 0, Checkpoint},
	{"ustar", 257, Archive},
	{"BZh", 0, Archive},
	{"7z\xbc\xaf", 0, Archive},
	{"\x04\x22\x4d\x18", 0, Archive}, // lz4
}

// recognise tells what a file is: by its content first, then by its name.
// head is decoded text (or the raw bytes of what is none); whole says that it
// is all of the file.
func (n *naming) recognise(name string, head []byte, whole bool) Kind {
	if len(head) == 0 {
		return Empty
	}
	for _, m := range magics {
		if len(head) >= m.at+len(m.bytes) && string(head[m.at:m.at+len(m.bytes)]) == m.bytes {
			if m.kind == Archive && n.action(path.Base(name)) == actCheckpoint {
				return Checkpoint // torch.save writes a zip
			}
			return m.kind
		}
	}
	switch {
	case isTFEvents(head):
		return TFEvents
	case isPickle(head), isSafetensors(head):
		return Checkpoint
	case isBinary(head):
		if n.action(path.Base(name)) == actCheckpoint {
			return Checkpoint
		}
		return Binary
	}
	return n.recogniseText(name, head, whole)
}

// isTFEvents checks the record frame: a length and its checksum. Most writers
// put the file's version first; some begin with a value.
func isTFEvents(head []byte) bool {
	if len(head) <= 24 || head[4] != 0 || head[5] != 0 || head[6] != 0 || head[7] != 0 {
		return false
	}
	if bytes.Contains(head[12:min(len(head), 64)], []byte("brain.Event:")) {
		return true
	}
	crc := crc32.Checksum(head[:8], crc32.MakeTable(crc32.Castagnoli))
	return binary.LittleEndian.Uint32(head[8:]) == (crc>>15|crc<<17)+crcMask
}

// crcMask is what record files add to a rotated checksum.
const crcMask = 0xa282ead8

func isPickle(head []byte) bool {
	return len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5
}

func isSafetensors(head []byte) bool {
	return len(head) > 9 && head[8] == '{' && head[5] == 0 && head[6] == 0 && head[7] == 0
}

// isBinary counts the bytes that no log holds. NUL counts apart: a stretch of
// it is the hole of a truncated log, scattered it is binary.
func isBinary(head []byte) bool {
	if bytes.IndexByte(head, 0) < 0 {
		head = head[:min(len(head), 2<<10)]
	}
	odd, nuls, runs, end := 0, 0, 0, -1 // end: behind the last NUL
	for i := 0; i < len(head); i++ {
		n := indexControl(head[i:])
		if n < 0 {
			break
		}
		i += n
		switch c := head[i]; {
		case c == 0:
			nuls++
			if i != end {
				runs++
			}
			end = i + 1
		case c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != 0x1b && c != '\b' && c != '\a' && c != '\f':
			odd++
		case c == 0x7f:
			odd++
		}
	}
	text := len(head) - nuls
	return odd*20 > text || runs*50 > text && runs > 4 || runs*10 > text
}

func (n *naming) recogniseText(name string, head []byte, whole bool) Kind {
	base := path.Base(name)
	body := bytes.TrimLeft(bytes.TrimPrefix(head, utf8BOM), " \t\r\n\x00")
	if len(body) == 0 {
		return Console
	}
	switch {
	case body[0] == '{':
		if k := n.objectKind(base, body, whole); k != "" {
			return k
		}
	case body[0] == '[' && strings.HasSuffix(base, ".json"):
		return JSON
	case isMLflow(name, body):
		return MLflow
	}
	if isTable(base, body) {
		return CSV
	}
	return lineKind(body)
}

// objectKind tells JSON files apart; "": it is a log that begins with an
// object (which may be the repr of a Python dict).
func (n *naming) objectKind(base string, body []byte, whole bool) Kind {
	after := bytes.TrimLeft(body[1:], " \t\r\n")
	if len(after) == 0 || after[0] != '"' && after[0] != '}' {
		return ""
	}
	keys, end, lines := objectKeys(body)
	closed := end > 0
	has := func(k string) bool { return keys[k] }
	first, rest, _ := bytes.Cut(body, []byte{'\n'})
	oneLine := lines == 1 && closed
	switch {
	case has("nbformat"), has("cells") && has("cell_type"), strings.HasSuffix(base, ".ipynb"):
		return Notebook
	case has("log_history"), has("global_step") && has("is_world_process_zero"):
		return TrainerState
	case oneLine && len(bytes.TrimSpace(rest)) > 0:
		switch {
		case !mostlyObjects(body, whole):
			return ""
		case byLogger(keys):
			return Console
		}
		return JSONL
	case has("Variables") && has("ParameterName"), has("Params") && strings.HasPrefix(base, "checkpoint-n"):
		return GoMLX
	case n.action(base) == actResults:
		return HFResults
	case n.action(base) == actSummary, has("_wandb") && has("_runtime"):
		return WandbSummary
	case oneLine && strings.HasSuffix(base, ".json"):
		return JSON
	case oneLine && isObjectLine(first):
		return JSONL
	case strings.HasSuffix(base, ".json"), closed && !textBehind(body):
		return JSON
	}
	return ""
}

// textBehind: something else follows the objects that a text begins with. Trainers
// print their settings as JSON, and then they train.
func textBehind(b []byte) bool {
	for len(b) > 0 && b[0] == '{' {
		_, end, _ := objectKeys(b)
		if end == 0 {
			return false
		}
		b = bytes.TrimLeft(b[end:], " \t\r\n\x00,")
	}
	return len(b) > 0
}

// byLogger: the objects are the lines of a logger that writes JSON. What it was
// told stands in them as text, error messages too, so they are read as a log.
func byLogger(keys map[string]bool) bool {
	any := func(names ...string) bool { return slices.ContainsFunc(names, func(n string) bool { return keys[n] }) }
	return any("level", "levelname", "severity", "log_level", "lvl") && any("msg", "message", "event", "text", "log")
}

// objectKeys collects the keys of the first object, of its top level and one
// below. end: where in b the object ends, 0 if it goes on behind b; lines: how
// many it spans.
func objectKeys(b []byte) (keys map[string]bool, end, lines int) {
	keys, lines = map[string]bool{}, 1
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\n':
			lines++
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return keys, i + 1, lines
			}
		case '"':
			s, rest, ok := jsonString(b[i:], nil)
			if !ok {
				return keys, 0, lines
			}
			i = len(b) - len(rest) - 1
			if depth <= 3 && len(bytes.TrimLeft(rest, " ")) > 0 && bytes.TrimLeft(rest, " ")[0] == ':' {
				keys[string(s)] = true
			}
		}
	}
	return keys, 0, lines
}

func isObjectLine(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 1 && line[0] == '{' && line[len(line)-1] == '}' && (line[1] == '"' || line[1] == ' ' || line[1] == '}')
}

// mostlyObjects says whether nearly every line is a JSON object of its own.
func mostlyObjects(body []byte, whole bool) bool {
	lines, objects := 0, 0
	for len(body) > 0 && lines < maxSniffLines {
		line, rest, found := bytes.Cut(body, []byte{'\n'})
		if !found && !whole {
			break
		}
		body = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		lines++
		if isObjectLine(line) {
			objects++
		}
	}
	return lines > 0 && objects*10 >= lines*9
}

// isMLflow: "1700000000123 0.4127 120" in a metrics folder.
func isMLflow(name string, body []byte) bool {
	if !strings.Contains(name, "metrics/") {
		return false
	}
	line, _, _ := bytes.Cut(body, []byte{'\n'})
	fields := bytes.Fields(line)
	if len(fields) < 2 || len(fields) > 3 || len(fields[0]) < 12 || len(fields[0]) > 14 {
		return false
	}
	for _, c := range fields[0] {
		if !isDigit(c) {
			return false
		}
	}
	return isNumber(fields[1])
}

// isNumber accepts what a metric column holds, blank cells not among it.
func isNumber(b []byte) bool {
	b = bytes.TrimSpace(b)
	if len(b) == 0 {
		return false
	}
	switch strings.ToLower(string(bytes.TrimLeft(b, "+-"))) {
	case "nan", "inf", "infinity":
		return true
	}
	digits := 0
	for _, c := range b {
		switch {
		case isDigit(c):
			digits++
		case c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-':
		default:
			return false
		}
	}
	return digits > 0
}

// isTable says whether the text is a table: a header of names and below it
// rows of as many cells, numbers among them. In a file named .csv the header
// alone will do.
func isTable(base string, body []byte) bool {
	header, rest, _ := bytes.Cut(body, []byte{'\n'})
	header = bytes.TrimRight(header, "\r")
	named := strings.HasSuffix(base, ".csv") || strings.HasSuffix(base, ".tsv")
	for _, sep := range []byte{',', '\t', ';'} {
		cells := bytes.Count(header, []byte{sep}) + 1
		if cells < 2 || !isHeader(header, sep) && !named {
			continue
		}
		if named || rowsFit(rest, sep, cells) {
			return true
		}
	}
	return false
}

func isHeader(header []byte, sep byte) bool {
	for cell := range bytes.SplitSeq(header, []byte{sep}) {
		cell = bytes.TrimSpace(cell)
		if isNumber(cell) || len(cell) > 64 || bytes.ContainsAny(cell, "=|{") || bytes.Count(cell, []byte{' '}) > 3 {
			return false
		}
	}
	return true
}

// rowsFit looks at the first rows. A header may be rewritten when a key is
// added, so cells may become more.
func rowsFit(body []byte, sep byte, cells int) bool {
	rows, fit := 0, 0
	for rows < 20 {
		line, rest, found := bytes.Cut(body, []byte{'\n'})
		if !found {
			break
		}
		body = rest
		rows++
		parts := bytes.Split(bytes.TrimRight(line, "\r"), []byte{sep})
		numbers, filled := 0, 0
		for _, p := range parts {
			if len(bytes.TrimSpace(p)) > 0 {
				filled++
			}
			if isNumber(p) {
				numbers++
			}
		}
		if len(parts) >= cells && numbers*2 >= filled && numbers > 0 {
			fit++
		}
	}
	return rows > 0 && fit*10 >= rows*8
}

// lineKind tells kernel and scheduler logs from console logs by what their
// lines begin with.
func lineKind(body []byte) Kind {
	const most, few = 20, 20 / 5 // lines, and how many of them may begin otherwise
	lines, kernel, slurm := 0, 0, 0
	for line := range firstLines(body, most) {
		if len(line) == 0 {
			continue
		}
		lines++
		p, text := ReadPrefix(line)
		switch {
		case p.Kernel, bytes.HasPrefix(text, []byte("NVRM: ")), bytes.HasPrefix(text, []byte("nvidia-nvswitch")):
			kernel++
		case bytes.HasPrefix(text, []byte("slurm")), strings.HasPrefix(p.Logger, "slurm"):
			slurm++
		}
		if lines-kernel > few && lines-slurm > few {
			return Console
		}
	}
	switch {
	case kernel*10 >= lines*8 && kernel > 0:
		return Kernel
	case slurm*10 >= lines*8 && slurm > 0:
		return Slurm
	}
	return Console
}
