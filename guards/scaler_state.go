package guards

import "fmt"

// ScalerState is what a checkpoint keeps of a [LossScaler]. It is plain data:
// encode it as the checkpoint is encoded.
type ScalerState struct {
	Scale      float64                 `json:"scale"`
	Good       int                     `json:"good"`       // updates without an overflow so far
	Hysteresis int                     `json:"hysteresis"` // overflows left before the scale falls
	Optimizers map[string]ScalerCounts `json:"optimizers"`
}

// State is what a checkpoint is to keep. Take it between an Update and the next
// step.
func (s *LossScaler) State() ScalerState {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := ScalerState{Scale: s.scale, Good: s.good, Hysteresis: s.hysteresis, Optimizers: map[string]ScalerCounts{}}
	for _, o := range s.optimizers {
		st.Optimizers[o.name] = o.Counts()
	}
	return st
}

// Restore takes the state of a checkpoint, before the first step. The step
// ledger of the run counts this process only; the counts of the optimizers go
// on from the checkpoint.
func (s *LossScaler) Restore(st ScalerState) error {
	c := s.config
	if !finiteValue(st.Scale) || st.Scale < c.Floor || st.Scale > c.Ceiling || st.Good < 0 {
		return fmt.Errorf("restoring a loss scaler: scale %g after %d good updates is no state between %g and %g", st.Scale, st.Good, c.Floor, c.Ceiling)
	}
	for name, counts := range st.Optimizers {
		s.Optimizer(name).before.Store(&counts)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scale, s.good, s.hysteresis = st.Scale, st.Good, min(st.Hysteresis, c.Hysteresis)
	s.stepped, s.overflow, s.fault = false, false, nil
	return nil
}
