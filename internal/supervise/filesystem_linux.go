package supervise

import (
	"os"

	"golang.org/x/sys/unix"
)

// mountsHere asks this system.
func mountsHere() mountView {
	return mountView{
		magic: func(dir string) (uint32, bool) {
			var st unix.Statfs_t
			err := unix.Statfs(dir, &st)
			return uint32(st.Type), err == nil
		},
		mounts: func() []mount {
			text, err := os.ReadFile("/proc/self/mountinfo")
			if err != nil {
				return nil
			}
			return parseMounts(string(text))
		},
	}
}

// systemKind is the kind of the file system of a folder.
func systemKind(dir string) (fsKind, string) { return mountsHere().kindOf(dir) }
