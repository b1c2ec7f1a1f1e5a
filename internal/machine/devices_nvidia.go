package machine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// smiGroups are the fields that nvidia-smi is asked for. A driver refuses a
// whole query for one field that it does not know, so that fields of one age
// are asked for together. The first group must answer.
var smiGroups = [...][]string{
	{"index", "uuid", "name", "driver_version", "pci.bus_id", "memory.total"},
	{"compute_cap"},
	{"vbios_version", "ecc.mode.current", "persistence_mode", "power.limit"},
	{"mig.mode.current"},
	{"driver_model.current"},
	{"gsp.mode.current"},
	{"gpu_recovery_action"},
}

// wslTool is where Windows puts the tool for its Linux guests.
const wslTool = "/usr/lib/wsl/lib/nvidia-smi"

func (s *System) nvidia(ctx context.Context) (devices []Device, notes []string) {
	if s.OS == "darwin" {
		return nil, nil
	}
	rows, err := s.smi(ctx)
	switch {
	case err == nil:
	case errors.Is(err, ErrNoTool):
		devices = s.nvidiaFromProc()
		if len(devices) == 0 {
			devices = s.tegra()
		}
		if len(devices) == 0 && !s.there("/proc/driver/nvidia/version") {
			if s.there("/dev/dxg") {
				notes = append(notes, "WSL without nvidia-smi: whether Windows shares a device is not known")
			}
			return nil, notes
		}
		notes = append(notes, "a driver of NVIDIA is loaded, and nvidia-smi is not there: compute capability is not known")
	default:
		// A tool without a driver is a CPU image; a driver that does not answer is
		// a device that cannot be relied on.
		devices = s.nvidiaFromProc()
		for i := range devices {
			devices[i].Hidden = "nvidia-smi: " + err.Error()
			devices[i].Index = -1
		}
		return devices, []string{"nvidia-smi: " + err.Error()}
	}
	for _, row := range rows {
		devices = append(devices, nvidiaDevice(row))
	}
	parts, more := s.migParts(ctx, devices)
	devices, notes = parts, append(notes, more...)
	if note := s.mixedOrder(devices); note != "" {
		notes = append(notes, note)
	}
	devices, more = s.narrow(devices, "CUDA_VISIBLE_DEVICES")
	return devices, append(notes, more...)
}

// smi asks nvidia-smi, group by group, and joins the rows by index.
func (s *System) smi(ctx context.Context) ([]map[string]string, error) {
	byIndex := map[string]map[string]string{}
	for i, fields := range smiGroups {
		if i > 0 {
			fields = append([]string{"index"}, fields...)
		}
		out, err := s.smiTool(ctx, "--query-gpu="+strings.Join(fields, ","), "--format=csv,noheader,nounits")
		if err != nil && i == 0 {
			return nil, err
		}
		if err != nil {
			if errors.Is(err, errHangs) {
				break // it will not answer the next one either
			}
			continue
		}
		for line := range strings.Lines(out) {
			cells := strings.Split(strings.TrimSpace(line), ", ")
			if len(cells) != len(fields) {
				continue
			}
			row := byIndex[cells[0]]
			if row == nil {
				if i > 0 {
					continue
				}
				row = map[string]string{}
				byIndex[cells[0]] = row
			}
			for j, f := range fields {
				row[f] = smiValue(cells[j])
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(byIndex), func(a, b string) int { return ordinal(a) - ordinal(b) })
	var rows []map[string]string
	for _, k := range order {
		rows = append(rows, byIndex[k])
	}
	return rows, nil
}

func (s *System) smiTool(ctx context.Context, args ...string) (string, error) {
	out, err := s.Tool(ctx, "nvidia-smi", args...)
	if errors.Is(err, ErrNoTool) && s.there(wslTool) {
		return s.Tool(ctx, wslTool, args...)
	}
	return out, err
}

// smiValue drops what stands for no value: [N/A], [Not Supported].
func smiValue(cell string) string {
	cell = strings.TrimSpace(cell)
	if strings.HasPrefix(cell, "[") || cell == "N/A" {
		return ""
	}
	return cell
}

func nvidiaDevice(row map[string]string) Device {
	d := Device{
		Kind: "cuda", ID: row["uuid"], Index: ordinal(row["index"]), Name: row["name"], Arch: row["compute_cap"],
		Driver: row["driver_version"], Bus: busAddress(row["pci.bus_id"]),
	}
	if mib, err := strconv.ParseInt(row["memory.total"], 10, 64); err == nil {
		d.Memory = mib << 20
	}
	if d.ID == "" {
		d.ID = "cuda:" + d.Name + "@" + d.Bus
	}
	for _, f := range [...]struct{ name, field string }{
		{"firmware", "vbios_version"}, {"ecc", "ecc.mode.current"}, {"persistence", "persistence_mode"},
		{"power cap", "power.limit"}, {"mig", "mig.mode.current"}, {"driver model", "driver_model.current"},
		{"gsp", "gsp.mode.current"}, {"recovery", "gpu_recovery_action"},
	} {
		if v := row[f.field]; v != "" {
			d.Details = append(d.Details, Detail{f.name, v})
		}
	}
	return d
}

// migLine is a part of a device as nvidia-smi -L lists it below the device.
var migLine = regexp.MustCompile(`^\s+MIG\s+(\S+)\s+Device\s+\d+:\s+\(UUID:\s*(MIG-[^)\s]+)\)`)

// migParts replaces each device that is split by its parts: frameworks see
// those, and of them one at a time.
func (s *System) migParts(ctx context.Context, devices []Device) (out []Device, notes []string) {
	if !slices.ContainsFunc(devices, func(d Device) bool { return d.Detail("mig") == "Enabled" }) {
		return devices, nil
	}
	list, err := s.smiTool(ctx, "-L")
	if err != nil {
		return devices, []string{"nvidia-smi -L: " + err.Error() + ": the parts of split devices are not known"}
	}
	parts := map[string][]Device{}
	parent := ""
	for line := range strings.Lines(list) {
		if _, rest, ok := strings.Cut(line, "(UUID: "); ok && strings.HasPrefix(line, "GPU ") {
			parent = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), ")"))
		}
		if m := migLine.FindStringSubmatch(line); m != nil {
			parts[parent] = append(parts[parent], Device{MIG: m[1], ID: m[2], Parent: parent})
		}
	}
	for _, d := range devices {
		if d.Detail("mig") != "Enabled" {
			out = append(out, d)
			continue
		}
		for _, p := range parts[d.ID] {
			part := d
			part.ID, part.MIG, part.Parent, part.Memory = p.ID, p.MIG, p.Parent, migMemory(p.MIG)
			part.Name += " MIG " + p.MIG
			out = append(out, part)
		}
		if len(parts[d.ID]) == 0 {
			d.Hidden, d.Index = "MIG is on and no part is made", -1
			out = append(out, d)
		}
	}
	n := 0
	for i := range out {
		if out[i].Hidden == "" {
			out[i].Index = n
			n++
		}
	}
	return out, []string{"devices are split (MIG): a process sees one part"}
}

// migMemory reads the memory of a profile such as 1g.10gb.
func migMemory(profile string) int64 {
	_, gb, ok := strings.Cut(profile, "g.")
	n := ordinal(gb)
	if !ok || n < 0 {
		return 0
	}
	return int64(n) << 30
}

// mixedOrder: CUDA counts the fastest first, nvidia-smi by PCI address.
func (s *System) mixedOrder(devices []Device) string {
	for _, d := range devices {
		if d.Name != devices[0].Name && s.env("CUDA_DEVICE_ORDER") != "PCI_BUS_ID" {
			return "devices of different models, and CUDA_DEVICE_ORDER is not PCI_BUS_ID: CUDA may number them otherwise than this list"
		}
	}
	return ""
}

// nvidiaFromProc lists what the loaded driver itself says.
func (s *System) nvidiaFromProc() (devices []Device) {
	driver := ""
	if m := regexp.MustCompile(`\s(\d+\.\d+(?:\.\d+)?)\s`).FindStringSubmatch(s.read("/proc/driver/nvidia/version")); m != nil {
		driver = m[1]
	}
	for i, path := range s.glob("/proc/driver/nvidia/gpus/*/information") {
		facts := colonPairs(s.read(path))
		d := Device{
			Kind: "cuda", ID: facts["GPU UUID"], Index: i, Name: facts["Model"], Driver: driver, Bus: busAddress(facts["Bus Location"]),
		}
		if v := facts["Video BIOS"]; v != "" && !strings.Contains(v, "?") {
			d.Details = append(d.Details, Detail{"firmware", v})
		}
		if d.ID == "" || strings.Contains(d.ID, "?") {
			d.ID = fmt.Sprintf("cuda:%s@%s", d.Name, d.Bus)
		}
		devices = append(devices, d)
	}
	return devices
}

// tegra is the device of a Jetson board, which has no PCI device.
func (s *System) tegra() []Device {
	if !s.there("/etc/nv_tegra_release") {
		return nil
	}
	name := strings.TrimRight(s.read("/proc/device-tree/model"), "\x00")
	if name == "" {
		name = "NVIDIA Jetson"
	}
	return []Device{{Kind: "cuda", ID: "cuda:" + name, Name: name, Driver: firstLine(s.read("/etc/nv_tegra_release"))}}
}

// colonPairs reads lines of the form "name: value".
func colonPairs(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(line, ":"); ok {
			out[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return out
}
