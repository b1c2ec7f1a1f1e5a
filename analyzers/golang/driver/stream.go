package driver

import (
	"bytes"
	"strings"
)

// splitter takes the go command's output apart: JSON objects of units, and
// lines of text that belong to the package named by the last "# package".
// Older go commands mix both on standard error; newer ones do not.
//
// An object begins with a line "{" and ends with a line "}", since units
// indent it. Only one object is held at a time.
type splitter struct {
	object func([]byte) error           // one whole JSON object
	text   func(pkg, line string) error // a line of text

	rest  []byte // of a line that has not ended
	pkg   string
	doc   []byte
	inDoc bool
	err   error // the first one; what follows is dropped
}

// Write takes any piece of the output.
func (s *splitter) Write(p []byte) (int, error) {
	n := len(p)
	for s.err == nil {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			s.rest = append(s.rest, p...)
			break
		}
		line := p[:i]
		if len(s.rest) > 0 {
			line = append(s.rest, line...)
		}
		s.err = s.line(line)
		s.rest, p = s.rest[:0], p[i+1:]
	}
	return n, nil // the command is never stopped by a full pipe
}

// Close takes what stands behind the last line feed.
func (s *splitter) Close() error {
	if s.err == nil && len(s.rest) > 0 {
		s.err = s.line(s.rest)
		s.rest = nil
	}
	if s.err == nil && s.inDoc {
		s.err = errCut
	}
	return s.err
}

func (s *splitter) line(line []byte) error {
	line = bytes.TrimSuffix(line, []byte("\r"))
	switch {
	case s.inDoc:
		s.doc = append(append(s.doc, line...), '\n')
		if len(line) != 1 || line[0] != '}' {
			return nil
		}
		s.inDoc = false
		return s.object(s.doc)
	case len(line) == 1 && line[0] == '{':
		s.inDoc, s.doc = true, append(s.doc[:0], "{\n"...)
		return nil
	case bytes.Equal(line, []byte("{}")), len(bytes.TrimSpace(line)) == 0:
		return nil
	}
	if name, ok := strings.CutPrefix(string(line), "# "); ok {
		s.pkg = plainName(strings.Trim(name, "[]"))
		return nil
	}
	return s.text(s.pkg, string(line))
}

// plainName takes the test variant off a package's name: the go command
// analyses a package and its tests as "p [p.test]".
func plainName(id string) string {
	name, _, _ := strings.Cut(id, " [")
	return name
}
