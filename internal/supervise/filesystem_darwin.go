package supervise

import "golang.org/x/sys/unix"

// systemKind is the kind of the file system of a folder: the system says itself
// whether it is of this machine.
func systemKind(dir string) (fsKind, string) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil || st.Flags&unix.MNT_LOCAL != 0 {
		return fsLocal, ""
	}
	return fsShared, unix.ByteSliceToString(st.Fstypename[:])
}
