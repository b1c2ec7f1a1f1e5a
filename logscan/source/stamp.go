package source

import "time"

// stamp is a time as a log prints it.
type stamp struct {
	year, month, day  int // year 0: not printed
	hour, min, sec    int
	nsec, resolution  int64
	zone              bool
	offset            int // seconds east of UTC, if zone
	clockOnly, mono   bool
	epochSec, monoSec int64 // instead of a date
}

// cursor reads fixed forms from the front of a text. Its methods consume what
// they name and say whether it was there; after a false the position is
// undefined, so callers work on a copy.
type cursor struct {
	b []byte
	i int
}

func (c *cursor) rest() []byte { return c.b[c.i:] }
func (c *cursor) end() bool    { return c.i >= len(c.b) }

func (c *cursor) peek() byte {
	if c.i < len(c.b) {
		return c.b[c.i]
	}
	return 0
}

func (c *cursor) byte(want byte) bool {
	if c.peek() != want {
		return false
	}
	c.i++
	return true
}

func (c *cursor) anyOf(set string) bool {
	for k := 0; k < len(set); k++ {
		if c.peek() == set[k] {
			c.i++
			return true
		}
	}
	return false
}

func (c *cursor) text(want string) bool {
	if len(c.b)-c.i < len(want) || string(c.b[c.i:c.i+len(want)]) != want {
		return false
	}
	c.i += len(want)
	return true
}

func (c *cursor) blanks() bool {
	from := c.i
	for c.i < len(c.b) && isBlank(c.b[c.i]) {
		c.i++
	}
	return c.i > from
}

// digits reads between lo and hi digits; a further digit is a failure.
func (c *cursor) digits(lo, hi int) (int, bool) {
	n, from := 0, c.i
	for c.i < len(c.b) && isDigit(c.b[c.i]) && c.i-from < hi {
		n = n*10 + int(c.b[c.i]-'0')
		c.i++
	}
	if c.i-from < lo || c.i < len(c.b) && isDigit(c.b[c.i]) {
		return 0, false
	}
	return n, true
}

func isDigit(c byte) bool  { return c-'0' < 10 }
func isLetter(c byte) bool { return c|0x20-'a' < 26 }

// isName says whether c may stand in the name of a logger, file or host.
func isName(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_' || c == '.' || c == '-' || c == '/'
}

// clock reads hh:mm:ss with an optional fraction.
func (c *cursor) clock(s *stamp) bool {
	var ok [3]bool
	s.hour, ok[0] = c.digits(1, 2)
	if !ok[0] || !c.byte(':') {
		return false
	}
	s.min, ok[1] = c.digits(2, 2)
	if !ok[1] || !c.byte(':') {
		return false
	}
	s.sec, ok[2] = c.digits(2, 2)
	if !ok[2] || s.hour > 24 || s.min > 59 || s.sec > 60 {
		return false
	}
	c.fraction(s)
	return true
}

// fraction reads .ddd up to nanoseconds, or the ,ddd of Python's logging.
func (c *cursor) fraction(s *stamp) {
	s.resolution = int64(time.Second)
	t := *c
	if !t.anyOf(".,") {
		return
	}
	comma, from := c.peek() == ',', t.i
	var n int64
	for t.i < len(t.b) && isDigit(t.b[t.i]) && t.i-from < 9 {
		n = n*10 + int64(t.b[t.i]-'0')
		s.resolution /= 10
		t.i++
	}
	width := t.i - from
	if width == 0 || comma && width != 3 || isDigit(t.peek()) {
		s.resolution = int64(time.Second)
		return
	}
	s.nsec = n * s.resolution
	*c = t
}

// zoneSuffix reads Z, +hh:mm, +hhmm or " UTC" behind a clock, and AM or PM.
func (c *cursor) zoneSuffix(s *stamp) {
	t := *c
	switch {
	case t.byte('Z'), t.text(" UTC"), t.text(" GMT"), t.text(" +0000"):
		if !isName(t.peek()) {
			s.zone = true
			*c = t
		}
	case t.text(" AM"), t.text(" am"):
		if s.hour == 12 {
			s.hour = 0
		}
		*c = t
	case t.text(" PM"), t.text(" pm"):
		if s.hour < 12 {
			s.hour += 12
		}
		*c = t
	default:
		c.numericZone(s)
	}
}

func (c *cursor) numericZone(s *stamp) {
	t := *c
	t.byte(' ')
	sign := 1
	if t.peek() == '-' {
		sign = -1
	}
	if !t.anyOf("+-") || len(t.b)-t.i < 4 {
		return
	}
	d := t.rest()
	colon := 0
	if d[2] == ':' {
		colon = 1
	}
	if len(d) < 4+colon || !isDigit(d[0]) || !isDigit(d[1]) || !isDigit(d[2+colon]) || !isDigit(d[3+colon]) {
		return
	}
	hours, minutes := int(d[0]-'0')*10+int(d[1]-'0'), int(d[2+colon]-'0')*10+int(d[3+colon]-'0')
	t.i += 4 + colon
	if hours > 14 || minutes > 59 || isDigit(t.peek()) {
		return
	}
	s.zone, s.offset = true, sign*(hours*3600+minutes*60)
	*c = t
}

// date reads one of the dates that start with a digit, with its clock.
func (c *cursor) date(s *stamp, dayFirst, bracketed bool) bool {
	b := c.rest()
	switch {
	case len(b) > 4 && isDigit(b[2]) && isDigit(b[3]) && (b[4] == '-' || b[4] == '/' || b[4] == '.'):
		return c.yearFirst(s)
	case len(b) > 8 && isDigit(b[2]) && isDigit(b[3]) && isDigit(b[4]):
		return c.compactDate(s)
	case len(b) > 2 && (b[2] == '/' || b[2] == '.' || b[2] == '-'):
		return c.shortDate(s, dayFirst, bracketed)
	}
	return false
}

// yearFirst reads 2026-01-02 10:11:12, with T, slashes, dots, commas.
func (c *cursor) yearFirst(s *stamp) bool {
	var ok [3]bool
	s.year, ok[0] = c.digits(4, 4)
	sep := c.peek()
	c.i++
	s.month, ok[1] = c.digits(1, 2)
	if !ok[0] || !ok[1] || !c.byte(sep) {
		return false
	}
	s.day, ok[2] = c.digits(1, 2)
	if !ok[2] || !c.anyOf(" T,_-") {
		return false
	}
	c.blanks()
	if !c.clock(s) {
		return false
	}
	c.zoneSuffix(s)
	return s.valid()
}

// compactDate reads 20260102 10:11:12.
func (c *cursor) compactDate(s *stamp) bool {
	n, ok := c.digits(8, 8)
	if !ok || !c.anyOf(" T-_") || !c.clock(s) {
		return false
	}
	s.year, s.month, s.day = n/10000, n/100%100, n%100
	c.zoneSuffix(s)
	return s.valid()
}

// shortDate reads 01/02/2026 10:11:12, 26/01/02 10:11:12, [01/02/26 10:11:12]
// and 01/02 10:11:12.
func (c *cursor) shortDate(s *stamp, dayFirst, bracketed bool) bool {
	first, _ := c.digits(2, 2)
	sep := c.peek()
	c.i++
	second, ok := c.digits(2, 2)
	if !ok {
		return false
	}
	s.month, s.day = first, second
	if dayFirst || sep == '.' {
		s.month, s.day = second, first
	}
	if c.byte(sep) && !c.shortYear(s, first, second, bracketed) {
		return false
	}
	c.byte(',')
	if !c.blanks() || !c.clock(s) {
		return false
	}
	c.zoneSuffix(s)
	return s.valid()
}

// shortYear reads what follows the second separator: the year, or the day of a
// date that began with a two-digit year (rich prints the year last, in
// brackets; Spark first, without).
func (c *cursor) shortYear(s *stamp, first, second int, bracketed bool) bool {
	t := *c
	if y, ok := t.digits(4, 4); ok {
		s.year = y
		*c = t
		return true
	}
	third, ok := c.digits(2, 2)
	switch {
	case !ok:
		return false
	case bracketed:
		s.year = 2000 + third
	default:
		s.year, s.month, s.day = 2000+first, second, third
	}
	return true
}

func (s *stamp) valid() bool {
	return s.month >= 1 && s.month <= 12 && s.day >= 1 && s.day <= 31 &&
		(s.year == 0 || s.year >= 1980 && s.year < 2200)
}

// monthNames and dayNames are packed: three letters each.
const (
	monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"
	dayNames   = "MonTueWedThuFriSatSun"
)

// name reads one of packed three-letter names and returns its number from 1.
func (c *cursor) name(packed string) int {
	if len(c.b)-c.i < 3 {
		return 0
	}
	word := c.b[c.i : c.i+3]
	for k := 0; k+3 <= len(packed); k += 3 {
		if string(word) == packed[k:k+3] {
			c.i += 3
			return k/3 + 1
		}
	}
	return 0
}

// monthFirst reads Jan  2 10:11:12[.123456] [2026], and Fri Jan  2 10:11:12
// 2026 with an optional zone name before the year.
func (c *cursor) monthFirst(s *stamp) bool {
	if t := *c; t.name(dayNames) > 0 {
		t.byte(',')
		if !t.blanks() {
			return false
		}
		*c = t
	}
	s.month = c.name(monthNames)
	if s.month == 0 || !c.blanks() {
		return false
	}
	var ok bool
	s.day, ok = c.digits(1, 2)
	if !ok || !c.blanks() || !c.clock(s) {
		return false
	}
	c.trailingYear(s)
	return s.valid()
}

func (c *cursor) trailingYear(s *stamp) {
	t := *c
	if !t.byte(' ') {
		return
	}
	z := t
	if z.text("UTC ") || z.text("GMT ") {
		s.zone = true
		t = z
	}
	y, ok := t.digits(4, 4)
	if !ok || y < 1980 || y >= 2200 {
		return
	}
	s.year = y
	*c = t
}
