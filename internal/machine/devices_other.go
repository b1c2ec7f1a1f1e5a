package machine

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// amd lists the compute devices that the kernel driver of AMD offers.
func (s *System) amd(context.Context) (devices []Device, notes []string) {
	const nodes = "/sys/class/kfd/kfd/topology/nodes/"
	paths := s.glob(nodes + "*/properties")
	slices.SortFunc(paths, func(a, b string) int { return ordinal(path.Base(path.Dir(a))) - ordinal(path.Base(path.Dir(b))) })
	for _, p := range paths {
		facts := spacePairs(s.read(p))
		target, err := strconv.Atoi(facts["gfx_target_version"])
		if err != nil || target == 0 || facts["simd_count"] == "0" {
			continue // a CPU is a node too
		}
		dir := path.Dir(p)
		d := Device{
			Kind: "rocm", Index: len(devices), Arch: gfxName(target), Name: s.read(dir + "/name"),
			Driver: s.read("/sys/module/amdgpu/version"), Memory: s.kfdMemory(dir), Bus: kfdBus(facts),
		}
		if d.Name == "" {
			d.Name = "AMD " + d.Arch
		}
		d.ID = "rocm:" + d.Name + "@" + d.Bus
		if id, err := strconv.ParseUint(facts["unique_id"], 10, 64); err == nil && id != 0 {
			d.ID = fmt.Sprintf("GPU-%016x", id) // as ROCR_VISIBLE_DEVICES writes it
		}
		devices = append(devices, d)
	}
	if len(devices) == 0 {
		return nil, nil
	}
	if !s.there("/dev/kfd") {
		for i := range devices {
			devices[i].Hidden, devices[i].Index = "/dev/kfd is not there: the container was not given it", -1
		}
		return devices, nil
	}
	// The runtime applies ROCR_VISIBLE_DEVICES, then HIP numbers what is left.
	devices, notes = s.narrow(devices, "ROCR_VISIBLE_DEVICES")
	variable := "HIP_VISIBLE_DEVICES"
	if _, set := s.Env(variable); !set {
		variable = "CUDA_VISIBLE_DEVICES"
	}
	devices, more := s.narrow(devices, variable)
	return devices, append(notes, more...)
}

// gfxName writes a target version as AMD's compiler does: 90010 is gfx90a. It
// looks like a compute capability and is none.
func gfxName(target int) string {
	return fmt.Sprintf("gfx%d%x%x", target/10000, target/100%100, target%100)
}

func (s *System) kfdMemory(dir string) int64 {
	var sum int64
	for _, p := range s.glob(dir + "/mem_banks/*/properties") {
		if n, err := strconv.ParseInt(spacePairs(s.read(p))["size_in_bytes"], 10, 64); err == nil {
			sum += n
		}
	}
	return sum
}

// kfdBus makes a PCI address of the node's location: bus, device and function.
func kfdBus(facts map[string]string) string {
	location, err := strconv.Atoi(facts["location_id"])
	if err != nil {
		return ""
	}
	domain := max(0, ordinal(facts["domain"]))
	return fmt.Sprintf("%04x:%02x:%02x.%d", domain, location>>8&0xff, location>>3&0x1f, location&7)
}

// spacePairs reads lines of the form "name value".
func spacePairs(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			out[k] = v
		}
	}
	return out
}

// intel lists render nodes of Intel's compute driver. Graphics of a processor
// are among them; whether a framework can use them is not known from here.
func (s *System) intel(context.Context) (devices []Device, notes []string) {
	for _, node := range s.glob("/sys/class/drm/renderD*") {
		if s.read(node+"/device/vendor") != "0x8086" {
			continue
		}
		id := s.read(node + "/device/device")
		bus := colonless(s.read(node+"/device/uevent"), "PCI_SLOT_NAME=")
		devices = append(devices, Device{
			Kind: "xpu", ID: "xpu:" + id + "@" + bus, Index: len(devices), Name: "Intel GPU " + id,
			Bus: bus, Driver: colonless(s.read(node+"/device/uevent"), "DRIVER="),
		})
	}
	if len(devices) > 0 {
		notes = append(notes, "a GPU of Intel: only a framework that was built for it (torch.xpu) can use it")
	}
	return devices, notes
}

// colonless finds the value behind a key of a uevent file.
func colonless(text, key string) string {
	for line := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(line, key); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// apple is the GPU of a Mac.
func (s *System) apple(ctx context.Context) (devices []Device, notes []string) {
	if s.OS != "darwin" {
		return nil, nil
	}
	ask := func(key string) string {
		out, err := s.Tool(ctx, "sysctl", "-n", key)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(out)
	}
	chip := ask("machdep.cpu.brand_string")
	d := Device{Kind: "mps", Name: chip, ID: "mps:" + chip, Driver: "macOS " + ask("kern.osproductversion")}
	d.Memory, _ = strconv.ParseInt(ask("hw.memsize"), 10, 64) // shared with the CPU; 0: not known
	if build := ask("kern.osversion"); build != "" {
		d.Details = append(d.Details, Detail{"os build", build})
	}
	if rest, ok := strings.CutPrefix(chip, "Apple M"); ok && ordinal(rest) > 0 {
		d.Arch = "apple-" + itoa(ordinal(rest))
	} else if s.Arch != "arm64" {
		d.Name = "Metal device beside " + chip
		notes = append(notes, "a Mac without Apple silicon: its GPU is not known from here")
	}
	if out, err := s.Tool(ctx, "ioreg", "-rc", "AGXAccelerator"); err == nil {
		if _, rest, ok := strings.Cut(out, `"gpu-core-count" = `); ok && ordinal(rest) > 0 {
			d.Details = append(d.Details, Detail{"gpu cores", itoa(ordinal(rest))})
		}
	}
	return []Device{d}, notes
}

// cpuFeatures are those that make a small dtype native.
var cpuFeatures = [...]string{"avx2", "avx512f", "avx512_bf16", "amx_bf16", "avx512_fp16", "amx_fp16", "bf16", "asimdhp"}

// cpu describes the processor.
func (s *System) cpu(ctx context.Context) Device {
	d := Device{Kind: "cpu", Name: s.Arch + " CPU"}
	text := s.read("/proc/cpuinfo")
	facts := colonPairs(text)
	for _, key := range [...]string{"model name", "Model"} {
		if facts[key] != "" {
			d.Name = facts[key]
			break
		}
	}
	if s.OS == "darwin" {
		if out, err := s.Tool(ctx, "sysctl", "-n", "machdep.cpu.brand_string"); err == nil {
			d.Name = strings.TrimSpace(out)
		}
	}
	have := strings.Fields(facts["flags"] + " " + facts["Features"])
	var features []string
	for _, f := range cpuFeatures {
		if slices.Contains(have, f) {
			features = append(features, f)
		}
	}
	d.Arch = strings.Join(features, " ")
	d.ID = "cpu:" + d.Name
	if kib, _, ok := strings.Cut(colonPairs(s.read("/proc/meminfo"))["MemTotal"], " "); ok {
		if n, err := strconv.ParseInt(kib, 10, 64); err == nil {
			d.Memory = n << 10
		}
	}
	return d
}
