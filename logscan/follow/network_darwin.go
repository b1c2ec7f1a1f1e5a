package follow

import "syscall"

// local is MNT_LOCAL: the file system is of this machine.
const local = 0x1000

// networkKind says why a folder's file system must be polled; empty: it need not.
func networkKind(dir string) string {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil || st.Flags&local != 0 {
		return ""
	}
	name := make([]byte, 0, len(st.Fstypename))
	for _, c := range st.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	return string(name) + " tells nothing of what other hosts write"
}
