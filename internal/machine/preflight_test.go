package machine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPreflightIsQuick(t *testing.T) {
	begin := time.Now()
	b := Preflight(t.Context())
	require.Less(t, time.Since(begin), 20*time.Second, "200 ms, and room for a very busy machine")
	for _, s := range append(b.Seen, b.Unseen...) {
		require.NotEmpty(t, s.Kind)
		require.NotEmpty(t, s.Text)
	}
}

// TestWhatHangsIsUnseen: a look that never returns costs the budget, no more.
func TestWhatHangsIsUnseen(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	defer close(never)
	var b Before
	b.run(t.Context(), 20*time.Millisecond, []look{
		{SeenContext, func(context.Context) ([]string, string) { <-never; return nil, "" }},
		{SeenKernel, func(context.Context) ([]string, string) { return []string{"Xid"}, "" }},
	})
	require.Equal(t, []Seen{{SeenContext, "it took longer than 20ms"}}, b.Unseen)
	require.Equal(t, []Seen{{SeenKernel, "Xid"}}, b.Seen)
}

func TestKernelLines(t *testing.T) {
	t.Parallel()
	faults := []string{
		"[ 123.4] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.",
		"[   88.0] amdgpu 0000:03:00.0: amdgpu: GPU reset begin!",
		"[ 9.1] mce: [Hardware Error]: CPU 3: Machine Check: 0 Bank 5: be00000000800400",
		"EDAC MC0: 1 UE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0",
		"INFO: task python:4242 blocked for more than 120 seconds.",
	}
	healthy := []string{
		"NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.12",
		"EDAC MC: Ver: 3.0.0",
		"mce: CPU0: Thermal monitoring enabled (TM1)",
		"amdgpu 0000:03:00.0: amdgpu: Fetched VBIOS from VFCT",
		"HEST: Table parsing has been initialized.",
		"Out of memory: Killed process 17 (python) total-vm:1kB", // of a process, not of the machine
		"EDAC MC0: 1 CE memory read error on DIMM_A1",            // corrected
	}
	log := strings.Join(append(append([]string{}, healthy...), faults...), "\n")
	require.Equal(t, faults, faultLines(log))
	require.Equal(t, faults[:1], faultLines("<2>"+faults[0]), "the ring buffer's priority is no part of the line")
	require.Len(t, faultLines(strings.Repeat(faults[0]+"\n", 100)), maxKernel)
}

func TestProcessesThatAreGone(t *testing.T) {
	t.Parallel()
	out := "GPU-5b1c2d3e, 17, python, 30121\nGPU-5b1c2d3e, 18, python, 512\nNo running processes found\nGPU-x, [N/A], [Not Found], 3\n"
	got := gone(out, func(pid int) bool { return pid == 18 })
	require.Equal(t, []string{"GPU-5b1c2d3e: process 17 (python), which is gone, still has 30121 MiB"}, got)
}

// TestStatesOfPs: the letter stands anywhere in the field.
func TestStatesOfPs(t *testing.T) {
	t.Parallel()
	out := "  1 Ss   /sbin/launchd\n 77 ?E   python3.13 train.py\n 78 U+   (mdworker)\n 79 R+   /usr/bin/ps\n 80 SEs  x\n"
	got := stuckRows(out)
	require.Len(t, got, 3)
	require.Equal(t, psRow{"?E", "python3.13 train.py"}, got["77"])
}

// TestNvidiaSmi answers through a stand-in: it hangs, it fails.
func TestNvidiaSmi(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	tool := func(script string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	tool("exec sleep 5")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, unseen := staleContexts(ctx)
	require.Equal(t, "nvidia-smi did not answer in time", unseen)
	tool("echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18")
	_, unseen = staleContexts(t.Context())
	require.Equal(t, "nvidia-smi: exit code 18: Failed to initialize NVML: Driver/library version mismatch", unseen)
}
