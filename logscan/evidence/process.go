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
	return otherHost(hostA, hostB) || pidA != "" && pidB != "" && pidA != pidB
}

// HostsApart reports whether two names of the host's own kind name different hosts.
func HostsApart(a, b string) bool {
	hostA, _, kindA := cutProcess(a)
	hostB, _, kindB := cutProcess(b)
	return kindA == HostPid && kindB == HostPid && otherHost(hostA, hostB)
}

// otherHost compares names of which one may be without its domain.
func otherHost(a, b string) bool {
	if a == "" || b == "" || a == b {
		return false
	}
	shorter, longer := min(a, b), max(a, b)
	return !strings.HasPrefix(longer, shorter+".")
}

func cutProcess(s string) (host, pid string, kind PidKind) {
	kind = OwnPid
	if strings.HasSuffix(s, "]") {
		kind = HostPid
	}
	host, pid, _ = strings.Cut(s, string(kind[0]))
	return host, strings.TrimSuffix(pid, string(kind[1])), kind
}
