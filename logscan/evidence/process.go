package evidence

import "strings"

// A process, as a line names the one that printed it: its host and its pid, of
// which one may be missing. The brackets say whose number the pid is.

// PidKind is the brackets around a pid.
type PidKind string

const (
	// HostPid is a number of the host's own, as a kernel line names it: node1[4321].
	HostPid PidKind = "[]"
	// OwnPid may be one of a container's, or a collector's: 10.0.0.1(2312).
	OwnPid PidKind = "()"
)

// Apart reports whether two names are those of different processes for certain.
// Where one says less than the other, they may be the same.
func Apart(a, b string) bool {
	hostA, pidA, kindA := cutProcess(a)
	hostB, pidB, kindB := cutProcess(b)
	if kindA != kindB {
		return false
	}
	return hostA != "" && hostB != "" && hostA != hostB || pidA != "" && pidB != "" && pidA != pidB
}

func cutProcess(s string) (host, pid string, kind PidKind) {
	kind = OwnPid
	if strings.HasSuffix(s, "]") {
		kind = HostPid
	}
	host, pid, _ = strings.Cut(s, string(kind[0]))
	return host, strings.TrimSuffix(pid, string(kind[1])), kind
}
