package supervise

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEndings(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 8, 10, 12, 0, 0, 0, time.UTC)
	term := []received{{name: "SIGTERM", when: when, sent: true}}
	hup := []received{{name: "SIGHUP", when: when}}
	for _, tt := range []struct {
		name string
		f    facts
		kind string
		says []string
	}{
		{"by itself", facts{known: true}, EndExit, []string{"wait status: exit code 0"}},
		{"with a code", facts{known: true, code: 1}, EndExit, []string{"exit code 1"}},
		{"a shell's word for a signal", facts{known: true, code: 139}, EndExit, []string{"exit code 139 (as a shell says of SIGSEGV)"}},
		{"a crash", facts{known: true, code: -1, signal: "SIGSEGV", core: true}, EndSignal, []string{"wait status: SIGSEGV, core dumped"}},
		{"a crash that the kernel saw", facts{known: true, code: -1, signal: "SIGSEGV", crashLines: []string{"python3[7]: segfault at 8"}}, EndSignal, []string{"kernel: python3[7]: segfault at 8"}},
		{"a crash of which the kernel's log is closed", facts{known: true, code: -1, signal: "SIGSEGV", kernelNot: "permission denied"}, EndSignal, []string{"the kernel log is not readable: permission denied"}},
		{"a crash with a report", facts{known: true, code: -1, signal: "SIGABRT", report: "python3.ips: EXC_CRASH SIGABRT", kernelNot: "none"}, EndSignal, []string{"crash report python3.ips: EXC_CRASH SIGABRT"}},
		{"a crash without one", facts{known: true, code: -1, signal: "SIGABRT", reportNot: "permission denied"}, EndSignal, []string{"no crash report: permission denied"}},
		{"killed by nobody known", facts{known: true, code: -1, signal: "SIGKILL", kernelNot: "permission denied"}, EndSignal,
			[]string{"the kernel log is not readable: permission denied", "who sent it is not known"}},
		{"memory, by the cgroup", facts{known: true, code: -1, signal: "SIGKILL", oomKills: 1}, EndOOM, []string{"the cgroup counts 1 out-of-memory kills during the run"}},
		{"memory, by the kernel", facts{known: true, code: -1, signal: "SIGKILL", kernel: []string{"Out of memory: Killed process 7 (python)"}}, EndOOM,
			[]string{"kernel: Out of memory: Killed process 7 (python)"}},
		{"memory of a child of a shell", facts{known: true, code: 137, oomKills: 1}, EndOOM, nil},
		{"an abort beside a kill for memory elsewhere", facts{known: true, code: -1, signal: "SIGABRT", oomKills: 1}, EndSignal, nil},
		{"asked to end", facts{known: true, code: -1, signal: "SIGTERM", stopped: "trainvet stop"}, EndSignal, []string{"trainvet stop asked for the end"}},
		{"asked to end under a scheduler", facts{known: true, code: -1, signal: "SIGKILL", stopped: "trainvet stop", scheduler: "slurm", term: EndPreempted}, EndSignal, nil},
		{"preempted", facts{known: true, code: -1, signal: "SIGTERM", received: term, scheduler: "kubernetes", term: EndPreempted}, EndPreempted,
			[]string{"trainvet received SIGTERM and passed it on at 2026-08-10T12:00:00Z"}},
		{"preempted, and it said so itself", facts{known: true, code: 1, received: term, scheduler: "slurm", term: EndPreempted}, EndPreempted, nil},
		{"a checkpoint at SIGTERM and a clean end", facts{known: true, received: term, scheduler: "slurm", term: EndPreempted}, EndExit, nil},
		{"the time limit", facts{known: true, code: -1, signal: "SIGKILL", received: term, scheduler: "slurm", term: EndPreempted, when: when, limit: when.Add(-time.Second)}, EndTimeLimit,
			[]string{"slurm ends the job at 2026-08-10T11:59:59Z"}},
		{"long before the limit", facts{known: true, code: -1, signal: "SIGTERM", received: term, scheduler: "slurm", term: EndPreempted, when: when, limit: when.Add(time.Hour)}, EndPreempted, nil},
		{"a person's SIGTERM", facts{known: true, code: -1, signal: "SIGTERM", received: term}, EndSignal, nil},
		{"the terminal went", facts{known: true, code: -1, signal: "SIGHUP", received: hup}, EndTeardown, []string{"trainvet received SIGHUP at"}},
		{"the session was killed", facts{known: true, code: -1, signal: "SIGKILL", received: hup}, EndTeardown, nil},
		{"a reboot", facts{bootThen: "a", bootNow: "b", lost: true}, EndReboot, []string{"boot id a then, b now"}},
		{"boots not readable", facts{lost: true}, EndUnknown, []string{"trainvet was not there when the process ended"}},
		{"nobody knows", facts{bootThen: "a", bootNow: "a"}, EndUnknown, []string{"the exit status is not known"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tell(tt.f)
			require.Equal(t, tt.kind, got.Kind, got.Evidence)
			require.NotEmpty(t, got.Evidence)
			for _, want := range tt.says {
				require.Contains(t, strings.Join(got.Evidence, "\n"), want)
			}
		})
	}
}

func TestStacks(t *testing.T) {
	t.Parallel()
	const python = `loss 1.5
Fatal Python error: Aborted

Thread 0x00007f1788295b80 (most recent call first):
  File "loader.py", line 3 in worker

Current thread 0x00007f17c8295b80 (most recent call first):
  File "model.py", line 41 in forward
  File "train.py", line 7 in step
  File "train.py", line 9 in main
  File "train.py", line 12 in <module>
`
	require.Equal(t, []string{
		"faulthandler: Fatal Python error: Aborted", `in File "model.py", line 41 in forward`, `in File "train.py", line 7 in step`, `in File "train.py", line 9 in main`,
	}, stacks([]byte(python), true))
	const native = "Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f1788295b80 (most recent call first):\n  <no Python frame>\n"
	got := stacks([]byte(native), true)
	require.Len(t, got, 2)
	require.Contains(t, got[1], "was not running Python (<no Python frame>)")
	const foreign = "Fatal Python error: Aborted\n\nThread 0x00007f1788295b80 (most recent call first):\n  File \"train.py\", line 7 in step\n"
	got = stacks([]byte(foreign), true)
	require.Contains(t, got[1], "is none of Python's")
	require.Empty(t, stacks([]byte(python), false), "it was caught, and the trainer ended well")
	require.Empty(t, stacks([]byte("my log says \"Fatal Python error: Aborted\"\n"), true))
}

func FuzzStacks(f *testing.F) {
	f.Add([]byte("Fatal Python error: Aborted\n\nCurrent thread 0x1 (most recent call first):\n  <no Python frame>\n"))
	f.Fuzz(func(t *testing.T, tail []byte) {
		if got := stacks(tail, true); len(got) > maxFrames+2 {
			t.Fatalf("%d lines", len(got))
		}
	})
}
