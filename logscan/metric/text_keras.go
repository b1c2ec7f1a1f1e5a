package metric

// kerasFit tells the bars of Keras' fit from those of evaluate, which look the
// same: fit writes "Epoch 1/5" above the bar of each epoch. A bar of another
// length, below an epoch whose bar is full, is of an evaluation; on which data
// nothing says, by use it is the test set.
type kerasFit struct {
	open  bool    // the header of an epoch was read
	total float64 // the length of its bar
	full  bool    // its bar was written to the end
}

// take reads the counter of a bar and gives the record of an evaluation its phase.
func (f *kerasFit) take(d *draft) {
	step := &d.step
	switch {
	case !f.open || d.epoch.Has || d.phase != "" || !d.positional || step.Total <= 0:
	case f.full && step.Total != f.total:
		if !splitNamed(d) {
			d.phase = SplitTest
		}
	default:
		f.total, f.full = step.Total, step.Value == step.Total
	}
}

// splitNamed: the bar holds val_loss or its kin, which evaluate never writes.
func splitNamed(d *draft) bool {
	for i := range d.fields {
		if d.fields[i].info.split != "" {
			return true
		}
	}
	return false
}
