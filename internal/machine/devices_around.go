package machine

import (
	"context"
	"runtime"
	"strconv"
	"strings"
)

// Around is what a device and its machine are like at one moment.
type Around struct {
	Load     float64 // average of a minute; 0: not known
	Others   int     // processes on the device
	Throttle string  // why the device runs slower than it could; empty: it does not
	Clock    string  // MHz
	Use      string  // per cent
	Power    string  // mains, battery
}

// throttles are the bits of nvidia-smi's reasons that mean slower than it could.
var throttles = [...]struct {
	bit  uint64
	text string
}{
	{0x4, "power cap"}, {0x8, "hardware slowdown"}, {0x20, "heat"}, {0x40, "heat (hardware)"}, {0x80, "power brake"},
}

// AroundOf looks at a device for a moment.
func AroundOf(ctx context.Context, sys System, d Device) Around {
	a := Around{Power: sys.power(ctx), Load: sys.load()}
	if d.Kind != "cuda" {
		return a
	}
	id := d.ID
	if d.Parent != "" {
		id = d.Parent
	}
	if out, err := sys.smiTool(ctx, "--id="+id, "--query-gpu=utilization.gpu,clocks.sm", "--format=csv,noheader,nounits"); err == nil {
		if use, clock, ok := strings.Cut(strings.TrimSpace(out), ", "); ok {
			a.Use, a.Clock = smiValue(use), smiValue(clock)
		}
	}
	for _, field := range [...]string{"clocks_event_reasons.active", "clocks_throttle_reasons.active"} {
		out, err := sys.smiTool(ctx, "--id="+id, "--query-gpu="+field, "--format=csv,noheader,nounits")
		if err == nil {
			a.Throttle = throttled(strings.TrimSpace(out))
			break
		}
	}
	if out, err := sys.smiTool(ctx, "--id="+id, "--query-compute-apps=pid", "--format=csv,noheader,nounits"); err == nil {
		a.Others = len(strings.Fields(out))
	}
	return a
}

// load is the average of the last minute; 0: not known.
func (sys System) load() float64 {
	first, _, _ := strings.Cut(sys.read("/proc/loadavg"), " ")
	load, _ := strconv.ParseFloat(first, 64)
	return load
}

// Crowd is how many processes there are for each processor that could run: what
// takes a second on a quiet machine takes so many. At least 1.
func Crowd(sys System) float64 { return max(1, sys.load()/float64(runtime.NumCPU())) }

// throttled names what a mask such as 0x0000000000000004 means.
func throttled(mask string) string {
	bits, err := strconv.ParseUint(strings.TrimPrefix(mask, "0x"), 16, 64)
	if err != nil {
		return ""
	}
	var why []string
	for _, t := range throttles {
		if bits&t.bit != 0 {
			why = append(why, t.text)
		}
	}
	return strings.Join(why, ", ")
}
