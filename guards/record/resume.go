package record

// Resume says that the training of this process goes on from a checkpoint. Its
// step ledgers count from 0 all the same; the audit finds the process that wrote
// the checkpoint, and lets them go on from where that one's stood.
type Resume struct {
	Path    string    `json:"path"`    // of the checkpoint, as the process named it
	Size    int64     `json:"size"`    // bytes; None: not known
	Sample  string    `json:"sample"`  // digest of pieces of it, as in an artifact; empty: not known
	Step    int64     `json:"step"`    // the trainer's counter in it; None: not known
	Carried []Carried `json:"carried"` // what it says of the steps before it; empty: nothing
}

// Carried is a step ledger that a checkpoint holds.
type Carried struct {
	Optimizer string `json:"optimizer"`
	Attempted int64  `json:"attempted"`
	Applied   int64  `json:"applied"`
}

func (*Resume) body() {}

func (e *encoder) resume(d *Resume) {
	e.str("path", d.Path)
	e.opt("size", d.Size)
	e.str("sample", d.Sample)
	e.opt("step", d.Step)
	e.key("carried")
	e.buf = append(e.buf, '[')
	for i, c := range d.Carried {
		if !e.open(i) {
			break
		}
		e.item("optimizer", c.Optimizer)
		e.num("attempted", c.Attempted)
		e.num("applied", c.Applied)
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, ']')
}

// issue refuses what no ledger can go on from.
func (d *Resume) issue() *Issue {
	if d.Path == "" {
		return invalid("a training that goes on from nothing")
	}
	for _, c := range d.Carried {
		if c.Applied < 0 || c.Attempted < c.Applied {
			return invalid("%d of %d steps carried on", c.Applied, c.Attempted)
		}
	}
	return nil
}
