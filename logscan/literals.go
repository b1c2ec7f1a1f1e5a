package logscan

import (
	"context"
	"fmt"

	"github.com/trainvet/trainvet/logscan/source"
)

// Literals lists what a scan looks for in one of the plan's sources, and apart
// the keys of the training values that it looks for too when every value is
// wanted. A source that is read whole needs no filter: then they are what any
// source is searched for. It is for measuring the audit beside other searches.
func (p *Plan) Literals(ctx context.Context, id string) (literals, values []string, err error) {
	none := &spelling{}
	if p.engine.huge.whole {
		return p.engine.anchors(none), nil, nil
	}
	for i := range p.set.Inputs {
		if in := &p.set.Inputs[i]; in.ID == id {
			sp, err := p.spelling(ctx, in)
			if err != nil {
				return nil, nil, fmt.Errorf("learning how %s spells its metrics: %w", id, err)
			}
			for _, d := range sp.dense {
				values = append(values, d.literal)
			}
			return p.engine.anchors(sp), values, nil
		}
	}
	return nil, nil, fmt.Errorf("no source of the plan is %s", id)
}

func (p *Plan) spelling(ctx context.Context, in *source.Input) (*spelling, error) {
	r, err := in.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	at, size, ok := r.Plain()
	if !ok {
		return &spelling{}, nil
	}
	sample, err := readParts(at, plan(size, p.engine.huge.n), new([]byte))
	if err != nil {
		return nil, err
	}
	return p.engine.spelling(in, sample), nil
}
