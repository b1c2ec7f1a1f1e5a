//go:build !unix

package machine

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// Without a lock that dies with its process, a lock file that is older than
// any update takes counts as left behind.
const (
	lockWait  = 10 * time.Millisecond
	lockStale = 30 * time.Second
)

// lock waits until it has made the lock file.
func lock(path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			f.Close()
			return func() { os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > lockStale {
			os.Remove(path)
			continue
		}
		time.Sleep(lockWait)
	}
}
