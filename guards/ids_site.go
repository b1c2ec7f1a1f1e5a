package guards

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/trainvet/trainvet/guards/record"
)

// Site is a place where token ids become text, or index an embedding. Make it
// once, with [DecodeSite]; any number of goroutines may check at it.
type Site struct {
	run      *Run
	number   int
	name     string
	vocab    *Vocab
	refused  error // why nothing can be checked here
	count    *check
	rate     rate
	stuck    atomic.Int64 // how many ids in a row were the same one, and which
	varies   bool
	repeats  bool
	narrowed bool
	witness  atomic.Pointer[string]
}

// SiteOption says what is special about a site.
type SiteOption func(*Site)

// MustVary says that a batch which is nothing but one id is suspicious whatever
// that id is. Without it only ids that broken logits give are: the first and
// the last, and the first padding column.
func MustVary() SiteOption { return func(s *Site) { s.varies = true } }

// MayRepeat says that a batch which is nothing but one id is to be expected, so
// that it is no suspicion.
func MayRepeat() SiteOption { return func(s *Site) { s.repeats = true } }

// Narrowed says that the ids were converted from a wider type before they got
// here. A batch of nothing but 257 is then what 0x01 bytes leave, a fault; else
// it is a suspicion, since ids that are 16 bits wide by nature can be 257.
func Narrowed() SiteOption { return func(s *Site) { s.narrowed = true } }

// The tallies of a site, by their place in its count.
const (
	tallyFill = iota
	tallyUnmapped
	tallyStuck
	tallyBad
)

// DecodeSite registers a place where ids are decoded with the run of the
// process. The name is for people: evaluate, sample, inputs. Asked again from
// the same line for the same name, vocabulary and options it returns the same
// site.
//
// A nil vocabulary, as a constructor returns beside its error, checks nothing:
// each check returns a [*VocabError], and the record says that the site is not
// checked.
func DecodeSite(name string, vocab *Vocab, options ...SiteOption) *Site {
	return Default().decodeSite(name, vocab, options)
}

// DecodeSite is the function of that name for this run.
func (r *Run) DecodeSite(name string, vocab *Vocab, options ...SiteOption) *Site {
	return r.decodeSite(name, vocab, options)
}

func (r *Run) decodeSite(name string, vocab *Vocab, options []SiteOption) *Site {
	s := &Site{run: r, name: name, vocab: vocab}
	for _, o := range options {
		o(s)
	}
	row := record.Site{Kind: "decode", Name: name, Live: true}
	if vocab == nil || vocab.size == 0 {
		s.refused = &VocabError{"the decode site " + strconv.Quote(name) + " has none, so that nothing is checked there"}
		row.Live, row.Why = false, "no vocabulary"
	} else {
		row.Vocab, row.Width, row.Bound = int64(vocab.mapped), int64(vocab.width), vocab.from
	}
	row = callerSite(row, 1)
	key := siteKey{name, row.File, row.Line, vocab, s.varies, s.repeats, s.narrowed}
	if known := r.siteOf(key, nil); known != nil {
		return known
	}
	s.number = r.addSite(row)
	if s.refused == nil {
		s.count = r.check("decode", s.number, "fill", "unmapped", "stuck", "bad")
	}
	return r.siteOf(key, s)
}

// siteKey is what makes two sites the same one: a trainer that asks for its site
// at each batch gets the one that it has, which knows the batches before.
type siteKey struct {
	name, file string
	line       int
	vocab      *Vocab

	varies, repeats, narrowed bool
}

// siteOf returns the site of a key. Where there is none it becomes the one given.
func (r *Run) siteOf(key siteKey, s *Site) *Site {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.decodes[key]; known != nil {
		return known
	}
	if s != nil {
		r.decodes[key] = s
	}
	return s
}

// Witness tells the site of evidence that the machine miscomputes which guards
// cannot see: a driver's message, a probe that failed. Many ids in padding
// columns are a doubt by themselves, and with a witness a fault. A fault of the
// run is a witness by itself.
func (s *Site) Witness(what string) { s.witness.Store(&what) }

// Seen is how many ids were checked here.
func (s *Site) Seen() int64 {
	if s.count == nil {
		return 0
	}
	return s.count.values.Load()
}

// settle counts and reports what a batch of n ids held, the worst first.
func (s *Site) settle(sh *sheet, n int64, held bool, id uint64) error {
	s.count.tally(tallyFill, sh.fill)
	s.count.tally(tallyUnmapped, sh.unmapped)
	s.count.tally(tallyBad, sh.bad)
	if sh.worst.grade == gradeMapped && held {
		if err := s.suspect(n-sh.fill, id); err != nil {
			return err
		}
	} else if n > sh.fill {
		s.moved()
	}
	var err error
	if sh.unmapped > 0 {
		err = s.unmapped(sh, n)
	}
	if worst := s.offend(sh); worst != nil {
		return worst
	}
	return err
}

// offend reports the first id of the worst grade.
func (s *Site) offend(sh *sheet) error {
	code := ""
	switch sh.worst.grade {
	case gradeSignature:
		code = "ids-signature"
	case gradeImpossible:
		code = "ids-impossible"
	case gradeReverse:
		code = "ids-reverse-gap"
	default:
		return nil
	}
	e := seen(code)
	e.site, e.name, e.value = s.number, s.name, sh.worst.value
	e.sample, e.place, e.text = sh.worst.sample, sh.worst.place, sh.worst.text
	if sh.bad > 1 {
		e.text += fmt.Sprintf(" (%d bad ids in this batch)", sh.bad)
	}
	return s.run.report(e)
}

// unmapped applies the rate rule to a batch.
func (s *Site) unmapped(sh *sheet, n int64) error {
	v := s.vocab
	columns := max(v.limit(), v.size)
	many := s.rate.add(sh, n, s.Seen(), float64(v.padding())/float64(columns))
	e := seen("ids-unmapped")
	e.site, e.name, e.value = s.number, s.name, strconv.FormatInt(sh.last, 10)
	s.run.bound(&e)
	e.text = fmt.Sprintf("%d of %d ids, such as %d, lie in the %d columns that no token maps to (%d of %d)",
		sh.unmapped, n, sh.last, v.padding(), v.mapped, columns)
	if many {
		e.code = "ids-unmapped-many"
		e.text += "; a healthy model gives 1 in 1,000 at most"
		if w := s.evidence(); w != "" {
			e.code = "ids-unmapped-witness"
			e.from, e.until = None, None
			e.text += "; and " + w
		}
	}
	return s.run.report(e)
}

// evidence is a second witness that the machine miscomputes; empty: none.
func (s *Site) evidence() string {
	if code := s.run.tainted(); code != "" {
		return "this run saw the fault " + code
	}
	if w := s.witness.Load(); w != nil {
		return *w
	}
	return ""
}

// suspect counts a batch that is nothing but one id, and speaks up when they
// are too many in a row.
func (s *Site) suspect(n int64, id uint64) error {
	row := s.stay(id, n)
	if row < stuckAfter {
		return nil
	}
	s.count.tally(tallyStuck, n)
	e := seen("ids-stuck")
	e.site, e.name, e.value = s.number, s.name, strconv.FormatUint(id, 10)
	s.run.bound(&e)
	e.text = fmt.Sprintf("the last %d ids are all %d, as logits that are all zero, all equal or NaN give", row, id)
	if id == fill16 && s.narrowed {
		e.code, e.from, e.until = "ids-signature", None, None
		e.text = fmt.Sprintf("the last %d ids are all 257, which is what narrowing leaves of bytes of 0x01", row)
	}
	return s.run.report(e)
}
