package metric

// tables are the column headers seen lately.
type tables struct{}

// byTable reads a row of numbers below a header of names.
func (r *Reader) byTable() bool { return false }

// header takes a line of column names.
func (r *Reader) header() bool { return false }
