package supervise

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed filesystems.tsv
var filesystemsTSV string

// fsKind says what a file system is to a log.
type fsKind string

const (
	fsLocal   fsKind = "local"
	fsShared  fsKind = "shared"
	fsMemory  fsKind = "memory"
	fsLayered fsKind = "layered"
	fsUser    fsKind = "user"
)

// filesystem is a row of filesystems.tsv.
type filesystem struct {
	magic uint32 // 0: by name
	name  string
	kind  fsKind
}

// filesystems reads the table. A fault in it panics: it is part of the program,
// and a test reads it.
func filesystems() []filesystem {
	var rows []filesystem
	for i, line := range strings.Split(strings.TrimSuffix(filesystemsTSV, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			panic(fmt.Sprintf("filesystems.tsv:%d: %d columns, not 3", i+1, len(f)))
		}
		row := filesystem{name: f[1], kind: fsKind(f[2])}
		if f[0] != "" {
			magic, err := strconv.ParseUint(f[0], 0, 32)
			if err != nil {
				panic(fmt.Sprintf("filesystems.tsv:%d: %v", i+1, err))
			}
			row.magic = uint32(magic)
		}
		rows = append(rows, row)
	}
	return rows
}

// mountView is what the system says of the mounts: a test has its own.
type mountView struct {
	magic  func(dir string) (uint32, bool)
	mounts func() []mount
}

// mount is a line of /proc/self/mountinfo.
type mount struct{ point, kind, upper string }

// maxLayers bounds how often one layered file system may stand on another.
const maxLayers = 8

// kindOf tells what the file system of a folder is to a log, with its name.
// What is not known is local: most file systems are.
func (v mountView) kindOf(dir string) (fsKind, string) {
	rows := filesystems()
	for range maxLayers {
		magic, ok := v.magic(dir)
		if !ok {
			return fsLocal, ""
		}
		row, ok := byMagic(rows, magic)
		switch {
		case !ok:
			return fsLocal, ""
		case row.kind == fsUser:
			return v.userKind(rows, row, dir)
		case row.kind != fsLayered:
			return row.kind, row.name
		}
		upper := v.mountOf(dir).upper
		if upper == "" || upper == dir {
			return fsLocal, row.name
		}
		dir = upper
	}
	return fsLocal, ""
}

// userKind is the kind of a mount that a program stands behind.
func (v mountView) userKind(rows []filesystem, row filesystem, dir string) (fsKind, string) {
	kind := v.mountOf(dir).kind
	for _, r := range rows {
		if r.magic == 0 && r.name == kind {
			return r.kind, kind
		}
	}
	if kind == "" {
		kind = row.name
	}
	return fsShared, kind
}

func byMagic(rows []filesystem, magic uint32) (filesystem, bool) {
	for _, r := range rows {
		if r.magic != 0 && r.magic == magic {
			return r, true
		}
	}
	return filesystem{}, false
}

// mountOf is the mount that a folder lies on: the deepest, and of several in one
// place the last.
func (v mountView) mountOf(dir string) mount {
	var best mount
	for _, m := range v.mounts() {
		under := m.point == "/" || dir == m.point || strings.HasPrefix(dir, m.point+"/")
		if under && len(m.point) >= len(best.point) {
			best = m
		}
	}
	return best
}

// parseMounts reads /proc/self/mountinfo.
func parseMounts(text string) []mount {
	var all []mount
	for line := range strings.Lines(text) {
		before, after, ok := strings.Cut(strings.TrimSpace(line), " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 1 {
			continue
		}
		m := mount{point: unescape(left[4]), kind: right[0]}
		if len(right) > 2 {
			for option := range strings.SplitSeq(right[2], ",") {
				if upper, ok := strings.CutPrefix(option, "upperdir="); ok {
					m.upper = unescape(upper)
				}
			}
		}
		all = append(all, m)
	}
	return all
}

// unescape undoes the octal escapes of blanks in a mount's paths.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
