package guards

import "github.com/trainvet/trainvet/guards/record"

// Probed records the result of a check of a device that was made inside the
// run. Framework says what computed: its name and version. A value of a run
// whose device passed is TRUSTED (probed); where it failed nothing is.
func (r *Run) Probed(name, device, framework string, passed bool, text string) {
	r.bootMore()
	r.write(&record.Probe{Name: name, Device: device, Framework: framework, Passed: passed, Text: text})
}
