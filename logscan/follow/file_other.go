//go:build !unix

package follow

import "os"

func openShared(path string) (*os.File, error) { return os.Open(path) }

// unlinked cannot be seen here.
func unlinked(*os.File) bool { return false }
