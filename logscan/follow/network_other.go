//go:build !linux && !darwin

package follow

// networkKind is not known here.
func networkKind(string) string { return "" }
