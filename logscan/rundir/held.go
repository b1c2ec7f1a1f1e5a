package rundir

import (
	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// Bounds on what one process can hold: further groups and items are left out,
// so that later steps are not compared.
const (
	maxHeldGroups = 64
	maxHeldItems  = 1 << 16
)

// addHeld joins the records of one group: how much a difference weighs, the
// latest knows best.
func (p *process) addHeld(b *record.Held, at evidence.Pos, sink *evidence.Pos) {
	h := p.heldOf(b)
	if h == nil {
		if len(p.held) == maxHeldGroups {
			return
		}
		h = &evidence.Held{Code: b.Code, Effect: string(b.Effect), Group: b.Group, Member: b.Member, Expect: b.Expect, Text: b.Text,
			Pid: p.boot.Pid, At: at, Sink: sink}
		p.held = append(p.held, h)
	}
	h.Effect = string(b.Effect)
	for _, it := range b.Items {
		if len(h.Items) < maxHeldItems {
			h.Items = append(h.Items, evidence.HeldItem{Step: it.Step, Name: it.Name, Value: it.Value})
		}
	}
}

func (p *process) heldOf(b *record.Held) *evidence.Held {
	for _, h := range p.held {
		if h.Group == b.Group && h.Member == b.Member && h.Code == b.Code {
			return h
		}
	}
	return nil
}
