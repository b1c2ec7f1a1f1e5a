package machine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// staleContexts asks nvidia-smi which processes have memory on a device, and
// reports those that are gone.
func staleContexts(ctx context.Context) (found []string, unseen string) {
	tool, err := exec.LookPath("nvidia-smi")
	if err != nil {
		if hasNvidia() {
			return nil, "a driver of NVIDIA is loaded, and nvidia-smi is not there"
		}
		return nil, ""
	}
	out, err := exec.CommandContext(ctx, tool, "--query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory", "--format=csv,noheader,nounits").Output()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, "nvidia-smi did not answer in time"
	case errors.As(err, &exit):
		return nil, fmt.Sprintf("nvidia-smi: exit code %d: %.200s", exit.ExitCode(), firstLine(string(out)+string(exit.Stderr)))
	case err != nil:
		return nil, fmt.Sprintf("nvidia-smi: %v", err)
	case !initialPids():
		return nil, "nvidia-smi names processes by the host's pids, which mean nothing in this pid namespace"
	}
	return gone(string(out), alive), ""
}

// gone picks the rows of nvidia-smi whose process is not there.
func gone(csv string, alive func(pid int) bool) []string {
	var found []string
	for line := range strings.Lines(csv) {
		cells := strings.Split(strings.TrimSpace(line), ", ")
		if len(cells) < 4 {
			continue
		}
		pid, err := strconv.Atoi(cells[1])
		if err != nil || pid <= 0 || alive(pid) {
			continue
		}
		found = append(found, fmt.Sprintf("%s: process %d (%s), which is gone, still has %s MiB", cells[0], pid, cells[2], cells[3]))
	}
	return found
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
