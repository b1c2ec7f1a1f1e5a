//go:build !linux && !darwin

package supervise

// systemKind: this system is not asked.
func systemKind(string) (fsKind, string) { return fsLocal, "" }
