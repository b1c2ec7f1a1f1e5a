package record

// Held is what one member of a group holds: a rank its parameters, its data,
// its versions. Nobody asks another member while it runs; the audit holds them
// against each other.
type Held struct {
	Code   string     `json:"code"`   // of the finding that a difference is, a row of effects.tsv
	Effect Effect     `json:"effect"` // of that finding
	Group  string     `json:"group"`  // who is compared: what is held, and by which ranks
	Member string     `json:"member"` // of the group: rank 0
	Expect string     `json:"expect"` // one of the Expect words
	Text   string     `json:"text"`   // what is held, for people
	Items  []HeldItem `json:"items"`
}

// What is expected of the members of a group.
const (
	ExpectEqual   = "equal"   // all hold the same
	ExpectStays   = "stays"   // what was the same once stays the same
	ExpectApart   = "apart"   // no two hold the same at each step
	ExpectMeets   = "meets"   // calls, one after another: each fits those of the other members
	ExpectNothing = "nothing" // a fact, for the report
)

// HeldItem is one thing at one step.
type HeldItem struct {
	Step  int64  `json:"step"`  // optimizer steps before it was looked at; None: it does not change
	Name  string `json:"name"`  // empty: the digest of all that is held
	Value string `json:"value"` // a digest, or a short word
}

func (*Held) body() {}

func (e *encoder) held(d *Held) {
	e.str("code", d.Code)
	e.str("effect", string(d.Effect))
	e.str("group", d.Group)
	e.str("member", d.Member)
	e.str("expect", d.Expect)
	e.str("text", d.Text)
	e.key("items")
	e.buf = append(e.buf, '[')
	for i, it := range d.Items {
		if !e.open(i) {
			break
		}
		e.num("step", it.Step)
		e.item("name", it.Name)
		e.item("value", it.Value)
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, ']')
}
