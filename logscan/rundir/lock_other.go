//go:build !unix

package rundir

import "os"

// Where there are no such locks there is no supervisor either.
func lock(*os.File) (taken bool, err error) { return false, nil }

func locked(*os.File) (bool, error) { return false, nil }
