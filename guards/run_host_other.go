//go:build !linux

package guards

// bootID is not known here.
func bootID() string { return "" }

// processStart is not known here; the pid alone names the process.
func processStart() int64 { return 0 }
