//go:build unix

package follow

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkBusyWriter reports what following costs of a core while another
// process writes 20 MB/s in lines of 100 bytes.
func BenchmarkBusyWriter(b *testing.B) {
	const perSecond, line = 20 << 20, 100
	path := b.TempDir() + "/log"
	require.NoError(b, os.WriteFile(path, nil, 0o600))
	f, err := Open(path, Options{})
	require.NoError(b, err)
	defer f.Close()
	for b.Loop() {
		ctx, cancel := context.WithTimeout(b.Context(), 3*time.Second)
		writer := startWriter(b, path, perSecond, line)
		before, begin, read := cpu(b), time.Now(), int64(0)
		for {
			e, err := f.Next(ctx)
			if errors.Is(err, context.DeadlineExceeded) {
				break
			}
			require.NoError(b, err)
			require.Nil(b, e.Gap)
			read += int64(len(e.Bytes))
		}
		cancel()
		b.ReportMetric(100*(cpu(b)-before).Seconds()/time.Since(begin).Seconds(), "%core")
		b.ReportMetric(float64(read)/1e6/time.Since(begin).Seconds(), "MB/s")
		require.NoError(b, writer.Kill())
	}
}

// startWriter writes from another process, so that its time does not count.
func startWriter(b *testing.B, path string, perSecond, line int) *os.Process {
	b.Helper()
	script := `
import os, sys, time
path, rate, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
fd, text, n, begin = os.open(path, os.O_WRONLY | os.O_APPEND), b"x" * (size - 1) + b"\n", 0, time.time()
while True:
    os.write(fd, text)
    n += size
    if n % (size * 200) == 0:
        time.sleep(max(0, n / rate - (time.time() - begin)))
`
	python, err := exec.LookPath("python3")
	if err != nil {
		b.Skip(err)
	}
	p, err := os.StartProcess(python, []string{"python3", "-c", script, path, strconv.Itoa(perSecond), strconv.Itoa(line)}, &os.ProcAttr{Files: []*os.File{nil, nil, os.Stderr}})
	if err != nil {
		b.Skip(err)
	}
	return p
}

func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
