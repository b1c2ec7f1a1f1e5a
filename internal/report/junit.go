package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/plain"
)

// junit prints a test case per site and finding, so that a CI system counts
// what passed too: a suite of sites, one of findings, one of packages.
type junit struct{}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	File    string      `xml:"file,attr,omitempty"`
	Line    int         `xml:"line,attr,omitempty"`
	Failure *junitText  `xml:"failure"`
	Error   *junitText  `xml:"error"`
	Skipped *junitEmpty `xml:"skipped"`
}

type junitText struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitEmpty struct {
	Message string `xml:"message,attr"`
}

func (junit) Findings(w io.Writer, v *Vetted) error {
	out := junitSuites{Name: "trainvet vet"}
	for _, s := range []junitSuite{junitFindings(v), junitSites(v), junitUnits(v)} {
		if len(s.Cases) == 0 {
			continue
		}
		s.Tests = len(s.Cases)
		for _, c := range s.Cases {
			switch {
			case c.Failure != nil:
				s.Failures++
			case c.Error != nil:
				s.Errors++
			case c.Skipped != nil:
				s.Skipped++
			}
		}
		out.Tests, out.Failures, out.Errors = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors
		out.Suites = append(out.Suites, s)
	}
	text, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the findings as XML: %w", err)
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", xml.Header, text); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}

func junitFindings(v *Vetted) junitSuite {
	s := junitSuite{Name: "findings"}
	for i := range v.Findings {
		f := &v.Findings[i]
		c := junitCase{Name: plain.Line(f.Code+" "+placeOf(f.At), 0), Class: f.Code, File: plain.Line(f.At.File, 0), Line: f.At.Line}
		message := plain.Line(f.Message, 0)
		if f.Severity == site.Info {
			c.Skipped = &junitEmpty{Message: message}
		} else {
			text := plain.Line(placeOf(f.At)+": "+f.Message, 0)
			for _, r := range f.Related {
				text += "\n" + plain.Line(placeOf(r.At)+": "+r.Message, 0)
			}
			c.Failure = &junitText{Type: string(f.Severity), Message: message, Text: text}
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// junitSites are the sites that nothing was found at: those that a finding is
// about stand there.
func junitSites(v *Vetted) junitSuite {
	s := junitSuite{Name: "sites"}
	found := map[string]bool{}
	for i := range v.Findings {
		found[v.Findings[i].Site] = true
	}
	for i := range v.Sites {
		x := &v.Sites[i]
		if x.Site.Test || found[x.Name] {
			continue
		}
		c := junitCase{Name: plain.Line(x.Name+" @"+string(x.Site.Shape), 0), Class: string(x.Site.Kind) + "." + string(x.Counts), File: plain.Line(x.Site.At.File, 0), Line: x.Site.At.Line}
		s.Cases = append(s.Cases, c)
	}
	return s
}

func junitUnits(v *Vetted) junitSuite {
	s := junitSuite{Name: "packages"}
	for i := range v.Gaps {
		g := &v.Gaps[i]
		if !g.Unanalysed {
			continue
		}
		message := plain.Line("UNANALYSED: "+g.Why, 0)
		c := junitCase{Name: plain.Line(g.What, 0), Class: "package", File: plain.Line(g.At.File, 0), Line: g.At.Line}
		if g.Matters {
			c.Error = &junitText{Type: "unanalysed", Message: message, Text: plain.Line(placeOf(g.At)+": "+g.Why, 0)}
		} else {
			c.Skipped = &junitEmpty{Message: message}
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}
