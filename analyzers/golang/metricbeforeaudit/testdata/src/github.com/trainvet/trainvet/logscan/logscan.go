// Package logscan stands in for the real one.
package logscan

// Audit judges a run.
func Audit(dir string) (string, error) { return "TRUSTED", nil }
