package follow

import "syscall"

// network lists file systems, by their magic number, on which other hosts
// write and the kernel tells nobody.
var network = map[uint32]string{
	0x6969:     "nfs",
	0x517b:     "smb",
	0xff534d42: "cifs",
	0xfe534d42: "smb2",
	0x65735546: "fuse",
	0x01021997: "9p",
	0x0bd00bd0: "lustre",
	0x47504653: "gpfs",
	0x00c36400: "ceph",
	0x5346414f: "afs",
	0x6b414653: "afs",
	0x19830326: "beegfs",
	0x564c:     "ncp",
	0x73757245: "coda",
	0x7461636f: "ocfs2",
	0x01161970: "gfs2",
	0x786f4256: "vboxsf",
	0xbacbacbc: "vmhgfs",
}

// networkKind says why a folder's file system must be polled; empty: it need not.
func networkKind(dir string) string {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return ""
	}
	if name := network[uint32(st.Type)]; name != "" {
		return name + " tells nothing of what other hosts write"
	}
	return ""
}
