package record

import (
	"hash/crc32"
	"strconv"
	"unicode/utf8"
)

// Limits of the encoder, so that no line reaches MaxLine even where every byte
// is escaped to six. What is cut ends in "…". The reader knows only MaxLine.
const (
	maxText  = 4 << 10 // bytes of a text
	maxList  = 64      // elements of a list
	maxItem  = 512     // bytes of a text in a list
	maxField = 256     // bytes of a text in an object of a list
)

const hexDigits = "0123456789abcdef"

const (
	crcKey    = `,"crc":"`
	crcSuffix = len(crcKey) + 8 + len(`"}`)
)

// Append writes the line of a record, its line feed included, behind b. It
// allocates only where b has to grow. The body must be a pointer to a struct
// of this package; a nil body is the caller's mistake and panics.
func Append(b []byte, h Head, body Body) []byte {
	start := len(b)
	e := encoder{buf: b}
	e.head(h, body)
	switch d := body.(type) {
	case *Boot:
		e.boot(d)
	case *Child:
		e.child(d)
	case *Site:
		e.site(d)
	case *Count:
		e.count(d)
	case *Fault:
		e.fault(d)
	case *Finding:
		e.finding(d)
	case *Step:
		e.step(d)
	case *Skip:
		e.skip(d)
	case *Metric:
		e.metric(d)
	case *Artifact:
		e.artifact(d)
	case *Probe:
		e.probe(d)
	case *Held:
		e.held(d)
	case *Resume:
		e.resume(d)
	case *End:
		e.end(d)
	}
	e.buf = append(e.buf, '}')
	return AppendCRC(e.buf, start)
}

// AppendCRC closes the JSON object that starts at start and still lacks its
// last brace: it appends the CRC of the object's bytes, the brace and a line
// feed. The sidecar of a run directory uses the same line form.
func AppendCRC(b []byte, start int) []byte {
	sum := crc32.ChecksumIEEE(b[start:])
	b = append(b, crcKey...)
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[sum>>shift&15])
	}
	return append(b, '"', '}', '\n')
}

// CheckCRC reports whether a line without its line feed ends in the CRC of the
// bytes before it.
func CheckCRC(line []byte) bool {
	n := len(line) - crcSuffix
	if n < 1 || string(line[n:n+len(crcKey)]) != crcKey || string(line[len(line)-2:]) != `"}` {
		return false
	}
	var sum uint32
	for _, c := range line[n+len(crcKey) : len(line)-2] {
		switch {
		case '0' <= c && c <= '9':
			sum = sum<<4 | uint32(c-'0')
		case 'a' <= c && c <= 'f':
			sum = sum<<4 | uint32(c-'a'+10)
		default:
			return false
		}
	}
	return sum == crc32.ChecksumIEEE(line[:n])
}

// encoder appends JSON. A key that follows an opening brace gets no comma.
type encoder struct{ buf []byte }

func (e *encoder) head(h Head, body Body) {
	e.buf = append(e.buf, `{"v":`...)
	e.buf = strconv.AppendInt(e.buf, Version, 10)
	e.str("type", string(typeOf(body)))
	e.num("wall", h.Wall)
	e.num("mono", h.Mono)
	e.num("pid", int64(h.Pid))
	e.opt("rank", int64(h.Rank))
	e.key("seq")
	e.buf = strconv.AppendUint(e.buf, h.Seq, 10)
	if h.Sink != nil {
		e.key("sink")
		e.buf = append(e.buf, `{"dev":`...)
		e.buf = strconv.AppendUint(e.buf, h.Sink.Device, 10)
		e.key("ino")
		e.buf = strconv.AppendUint(e.buf, h.Sink.Inode, 10)
		e.num("off", h.Sink.Offset)
		e.buf = append(e.buf, '}')
	}
	e.key("data")
	e.buf = append(e.buf, '{')
}

// typeOf asks by type switch and not by a method: a call through the interface
// would make every body escape to the heap.
func typeOf(body Body) Type {
	switch body.(type) {
	case *Boot:
		return TypeBoot
	case *Child:
		return TypeChild
	case *Site:
		return TypeSite
	case *Count:
		return TypeCount
	case *Fault:
		return TypeFault
	case *Finding:
		return TypeFinding
	case *Step:
		return TypeStep
	case *Skip:
		return TypeSkip
	case *Metric:
		return TypeMetric
	case *Artifact:
		return TypeArtifact
	case *Probe:
		return TypeProbe
	case *Held:
		return TypeHeld
	case *Resume:
		return TypeResume
	case *End:
		return TypeEnd
	}
	panic("record: a body of no known type")
}

func (e *encoder) key(k string) {
	if e.buf[len(e.buf)-1] != '{' {
		e.buf = append(e.buf, ',')
	}
	e.buf = append(e.buf, '"')
	e.buf = append(e.buf, k...)
	e.buf = append(e.buf, '"', ':')
}

func (e *encoder) str(k, s string) {
	e.key(k)
	e.buf = appendString(e.buf, s, maxText)
}

func (e *encoder) num(k string, n int64) {
	e.key(k)
	e.buf = strconv.AppendInt(e.buf, n, 10)
}

// opt leaves out what is not known.
func (e *encoder) opt(k string, n int64) {
	if n != None {
		e.num(k, n)
	}
}

func (e *encoder) float(k string, f Float) {
	e.key(k)
	e.buf = f.append(e.buf)
}

func (e *encoder) bool(k string, v bool) {
	e.key(k)
	e.buf = strconv.AppendBool(e.buf, v)
}

func (e *encoder) strs(k string, list []string) {
	e.key(k)
	e.buf = append(e.buf, '[')
	for i, s := range list {
		if i == maxList {
			e.buf = append(e.buf, `,"…"`...)
			break
		}
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.buf = appendString(e.buf, s, maxItem)
	}
	e.buf = append(e.buf, ']')
}

// open starts element i of a list of objects; it returns false where the list
// is cut.
func (e *encoder) open(i int) bool {
	if i >= maxList {
		return false
	}
	if i > 0 {
		e.buf = append(e.buf, ',')
	}
	e.buf = append(e.buf, '{')
	return true
}

func (e *encoder) item(k, s string) {
	e.key(k)
	e.buf = appendString(e.buf, s, maxField)
}

// appendString writes a JSON string of at most limit bytes of s. Bytes that
// are no UTF-8 become U+FFFD, control characters are escaped.
func appendString(b []byte, s string, limit int) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		if i >= limit {
			b = append(b, "…"...)
			break
		}
		c := s[i]
		if c < utf8.RuneSelf {
			b = appendASCII(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		b = utf8.AppendRune(b, r)
		i += n
	}
	return append(b, '"')
}

func appendASCII(b []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(b, '\\', c)
	case c == '\n':
		return append(b, '\\', 'n')
	case c < ' ' || c == 0x7f:
		return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
	}
	return append(b, c)
}
