package supervise

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKindOfFileSystems: a view of mounts stands in for machines that are not
// here; what decides is the code that decides there.
func TestKindOfFileSystems(t *testing.T) {
	t.Parallel()
	const mountinfo = `22 1 0:20 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/var/lib/up\040per/diff,workdir=/w
23 22 0:21 / /home rw,relatime shared:2 - nfs4 filer:/home rw,vers=4.2
24 22 0:22 / /scratch rw - lustre mds:/s rw
25 22 8:1 / /data rw - ext4 /dev/sda1 rw
26 22 0:23 / /bucket rw - fuse.s3fs s3fs rw
27 22 0:24 / /rootless rw - fuse.fuse-overlayfs fuse-overlayfs rw
28 22 0:25 / /on-nfs rw - overlay overlay rw,upperdir=/home/me/up
29 25 0:26 / /data/shm rw - tmpfs tmpfs rw
`
	magics := map[string]uint32{
		"/": 0x794c7630, "/var/lib/up per/diff": 0xef53, "/home/me/runs": 0x6969, "/home/me/up": 0x6969, "/scratch/x": 0x0bd00bd0, "/data/x": 0xef53,
		"/bucket/x": 0x65735546, "/rootless/x": 0x65735546, "/on-nfs/x": 0x794c7630, "/data/shm": 0x01021994, "/odd": 0x1234,
	}
	view := mountView{
		magic:  func(dir string) (uint32, bool) { m, ok := magics[dir]; return m, ok },
		mounts: func() []mount { return parseMounts(mountinfo) },
	}
	for dir, want := range map[string]fsKind{
		"/": fsLocal, "/home/me/runs": fsShared, "/scratch/x": fsShared, "/data/x": fsLocal, "/bucket/x": fsShared, "/rootless/x": fsLocal,
		"/on-nfs/x": fsShared, "/data/shm": fsMemory, "/odd": fsLocal, "/gone": fsLocal,
	} {
		kind, _ := view.kindOf(dir)
		require.Equal(t, want, kind, dir)
	}
	_, name := view.kindOf("/bucket/x")
	require.Equal(t, "fuse.s3fs", name)
}

func TestFileSystemsAreWhole(t *testing.T) {
	t.Parallel()
	kinds := map[fsKind]bool{fsLocal: true, fsShared: true, fsMemory: true, fsLayered: true, fsUser: true}
	seen := map[uint32]string{}
	for _, r := range filesystems() {
		require.True(t, kinds[r.kind], "%s: %s", r.name, r.kind)
		require.NotEmpty(t, r.name)
		require.Equal(t, r.magic == 0, r.kind == fsLocal, r.name)
		if r.magic != 0 {
			require.Empty(t, seen[r.magic], r.name)
			seen[r.magic] = r.name
		}
	}
}
