package source

import "time"

// yearless is the year of stamps that name none: a leap year, so that every
// day exists.
const yearless = 2000

// put writes the stamp into p. A later stamp of the same line does not
// overwrite one that says more: the outermost is the collector's, and it has a
// zone; the innermost is the program's.
func (st *Style) put(s *stamp, p *Prefix) {
	if s.clockOnly || p.Time != 0 && (p.Zone || !s.zone) && p.Clock == "wall" {
		return
	}
	p.Resolution, p.Zone, p.NoYear = s.resolution, s.zone, false
	switch {
	case s.mono:
		p.Clock, p.Time = "monotonic", s.monoSec*int64(time.Second)+s.nsec
	case s.epochSec != 0:
		p.Clock, p.Zone, p.Time = "wall", true, s.epochSec*int64(time.Second)+s.nsec
	default:
		p.Clock = "wall"
		p.Time, p.NoYear = st.unix(s)
	}
}

// unix converts a date. Without a zone it is read in the style's.
func (st *Style) unix(s *stamp) (nanos int64, noYear bool) {
	year := s.year
	if year == 0 {
		year = st.Year
	}
	if year == 0 {
		year, noYear = yearless, true
	}
	if !s.zone && st.TZ != nil && st.TZ != time.UTC {
		t := time.Date(year, time.Month(s.month), s.day, s.hour, s.min, s.sec, int(s.nsec), st.TZ)
		return t.UnixNano(), noYear
	}
	secs := daysSinceEpoch(year, s.month, s.day)*86400 + int64(s.hour*3600+s.min*60+s.sec-s.offset)
	return secs*int64(time.Second) + s.nsec, noYear
}

// daysSinceEpoch counts days of the proleptic Gregorian calendar from
// 1970-01-01: years start in March, so that the leap day comes last, and 400
// years have 146097 days.
func daysSinceEpoch(year, month, day int) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := year / 400
	inEra := year - era*400
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	return int64(era*146097 + inEra*365 + inEra/4 - inEra/100 + dayOfYear - 719468)
}
