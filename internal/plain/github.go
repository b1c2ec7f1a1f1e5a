package plain

import (
	"strconv"
	"strings"
)

// ciCommand breaks the prefixes by which CI systems recognise commands anywhere
// in a line (GitHub's old form, Azure, TeamCity).
var ciCommand = strings.NewReplacer(
	"##[", `#\#[`,
	"##vso[", `#\#vso[`,
	"##teamcity[", `#\#teamcity[`,
)

// defuse makes sure that a line is not taken for a CI command. GitHub
// recognises "::" only as the first thing of a line.
func defuse(line string) string {
	if strings.Contains(line, "##") {
		line = ciCommand.Replace(line)
	}
	text := strings.TrimLeft(line, " ")
	if strings.HasPrefix(text, "::") {
		return line[:len(line)-len(text)] + `\` + text
	}
	return line
}

// Place is where in the repository an annotation points.
type Place struct {
	File      string
	Line      int // from 1; 0: the whole file
	Column    int // from 1; 0: the whole line
	EndLine   int // 0: that of Line
	EndColumn int // 0: the end of the line
}

// GitHub returns a workflow command that GitHub shows as an annotation. level
// is error, warning or notice and comes from the caller's code; all else may be
// untrusted. The result is one line without its line end.
func GitHub(level string, at Place, title, message string) string {
	var props []string
	if at.File != "" {
		props = append(props, "file="+property(at.File))
	}
	if at.Line > 0 {
		props = append(props, "line="+strconv.Itoa(at.Line))
		for _, p := range []struct {
			name string
			n    int
		}{{"endLine", at.EndLine}, {"col", at.Column}, {"endColumn", at.EndColumn}} {
			if p.n > 0 {
				props = append(props, p.name+"="+strconv.Itoa(p.n))
			}
		}
	}
	if title != "" {
		props = append(props, "title="+property(title))
	}
	head := "::" + level
	if len(props) > 0 {
		head += " " + strings.Join(props, ",")
	}
	return head + "::" + data(message)
}

// data escapes what stands behind the second "::".
func data(s string) string {
	return strings.ReplaceAll(Line(s, 0), "%", "%25")
}

// property escapes one value of the list before it.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}
