package supervise

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// crashed: a process did what it may not, or gave up. The system may have written
// down where.
func crashed(signal string) bool {
	return slices.Contains([]string{"SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS"}, signal)
}

// crashReport reads a report of macOS (.ips: a line of JSON about the report, then
// the report) and says in one line what it tells of a process; not ok: it is about
// another one.
func crashReport(text []byte, pid int) (line string, ok bool) {
	_, body, ok := bytes.Cut(text, []byte("\n"))
	var r struct {
		Pid       int
		Exception struct{ Type, Signal, Subtype string }
		Asi       map[string][]string // what libraries said of it
		Thread    *int                `json:"faultingThread"`
		Threads   []struct {
			Frames []struct {
				Symbol string
				Image  int `json:"imageIndex"`
			}
		}
		Images []struct{ Name string } `json:"usedImages"`
	}
	if !ok || json.Unmarshal(body, &r) != nil || r.Pid != pid {
		return "", false
	}
	line = strings.TrimSpace(r.Exception.Type + " " + r.Exception.Signal)
	if r.Exception.Subtype != "" {
		line += " (" + r.Exception.Subtype + ")"
	}
	var said []string
	for _, texts := range r.Asi {
		said = append(said, texts...)
	}
	slices.Sort(said)
	for _, s := range said {
		line += "; " + s
	}
	if r.Thread == nil || *r.Thread < 0 || *r.Thread >= len(r.Threads) {
		return line, true
	}
	var frames []string
	for _, f := range r.Threads[*r.Thread].Frames {
		image := "an unknown library"
		if f.Image >= 0 && f.Image < len(r.Images) {
			image = r.Images[f.Image].Name
		}
		if f.Symbol == "" || strings.HasPrefix(image, "libsystem_") { // how an abort ends says nothing
			continue
		}
		if frames = append(frames, fmt.Sprintf("%s (%s)", f.Symbol, image)); len(frames) == maxFrames {
			break
		}
	}
	if len(frames) > 0 {
		line += "; in " + strings.Join(frames, ", from ")
	}
	return line, true
}
