package supervise

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// metalReport is a report of macOS, cut down to what is read and what stands
// around it.
const metalReport = `{"app_name":"python3.11","timestamp":"2026-08-10 12:00:00.00 +0200","bug_type":"309","os_version":"macOS 15.3 (24D60)","incident_id":"0A"}
{
  "uptime" : 86400,
  "pid" : 4242,
  "procName" : "python3.11",
  "exception" : {"codes":"0x0000000000000000, 0x0000000000000000","rawCodes":[0,0],"type":"EXC_CRASH","signal":"SIGABRT"},
  "termination" : {"flags":0,"code":6,"namespace":"SIGNAL","indicator":"Abort trap: 6","byProc":"python3.11","byPid":4242},
  "asi" : {"libsystem_c.dylib":["abort() called"],"Metal":["failed assertion: command buffer exited"]},
  "faultingThread" : 1,
  "threads" : [{"id":1,"frames":[{"imageOffset":1,"symbol":"start","imageIndex":0}]},
    {"triggered":true,"id":2,"queue":"com.Metal.CompletionQueueDispatch","frames":[
      {"imageOffset":37728,"symbol":"__pthread_kill","symbolLocation":8,"imageIndex":1},
      {"imageOffset":28,"symbol":"abort","symbolLocation":180,"imageIndex":2},
      {"imageOffset":9,"symbol":"MTLReportFailure.cold.1","symbolLocation":48,"imageIndex":3},
      {"imageOffset":7,"imageIndex":3},
      {"imageOffset":5,"symbol":"at::mps::MPSStream::commitAndWait()","symbolLocation":20,"imageIndex":4}]}],
  "usedImages" : [{"name":"python3.11"},{"name":"libsystem_kernel.dylib"},{"name":"libsystem_c.dylib"},{"name":"Metal"},{"name":"libtorch_cpu.dylib"}]
}`

func TestCrashReport(t *testing.T) {
	t.Parallel()
	line, ok := crashReport([]byte(metalReport), 4242)
	require.True(t, ok)
	require.Equal(t, "EXC_CRASH SIGABRT; abort() called; failed assertion: command buffer exited; "+
		"in MTLReportFailure.cold.1 (Metal), from at::mps::MPSStream::commitAndWait() (libtorch_cpu.dylib)", line)
	_, ok = crashReport([]byte(metalReport), 42)
	require.False(t, ok, "another process")
	for _, bad := range []string{"", "{}", "{}\n", "{}\n{\"pid\":", "Process: python3 [4242]\n"} {
		_, ok := crashReport([]byte(bad), 4242)
		require.False(t, ok, bad)
	}
	line, ok = crashReport([]byte("{}\n"+`{"pid":7,"exception":{"type":"EXC_BAD_ACCESS","signal":"SIGSEGV","subtype":"KERN_INVALID_ADDRESS at 0x8"},"faultingThread":9}`), 7)
	require.True(t, ok)
	require.Equal(t, "EXC_BAD_ACCESS SIGSEGV (KERN_INVALID_ADDRESS at 0x8)", line)
}

func FuzzCrashReport(f *testing.F) {
	f.Add([]byte(metalReport))
	f.Fuzz(func(_ *testing.T, text []byte) { crashReport(text, 4242) })
}
