package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Text is a rule as its file has it.
type Text struct {
	site.Rule
	// Gates are the kinds of site that fail with this code when nothing guards
	// or counts them.
	Gates []site.Kind
	// Flaws are the kinds of site for which this code says why a guard that
	// stands there does not count. It takes the place of the gate's finding.
	Flaws    []site.Kind
	Examples []Snippet
	Guards   []Snippet // the same, right
}

const fence = "```"

// Snippet is code in one language.
type Snippet struct {
	Lang string // as fences name it: go, python, sh
	Code string
}

var titleForm = regexp.MustCompile(`^# (TV[0-9]{3}) ([a-z0-9]+(?:-[a-z0-9]+)*)$`)

// Parse reads the file of one rule: a title, key: value lines, then sections.
//
//	# TV101 unguarded-decode
//	severity: error
//	severity-py: warning
//	langs: go py
//	tier: core
//	since: 0.1
//
//	## flags
//	...
func Parse(file, text string) (Text, error) {
	p := reader{file: file}
	sections := p.split(text)
	p.header(sections[0])
	for _, s := range sections[1:] {
		p.section(s)
	}
	p.complete()
	return p.out, p.err
}

type reader struct {
	file string
	out  Text
	seen []string // headings and keys, in their order
	err  error    // the first
}

func (p *reader) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s: %w", p.file, fmt.Errorf(format, args...))
	}
}

// split cuts the text before each second-level heading.
func (p *reader) split(text string) []string {
	return strings.Split(strings.TrimSpace(text), "\n## ")
}

func (p *reader) header(text string) {
	title, rest, _ := strings.Cut(text, "\n")
	m := titleForm.FindStringSubmatch(title)
	if m == nil {
		p.fail("the first line is no title such as %q", "# TV101 unguarded-decode")
		return
	}
	p.out.Code, p.out.Name = m[1], m[2]
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ": ")
		if !ok || slices.Contains(p.seen, key) {
			p.fail("%q is no key: value, or its key is there twice", line)
			return
		}
		p.seen = append(p.seen, key)
		p.key(key, strings.TrimSpace(value))
	}
}

func (p *reader) key(key, value string) {
	words := strings.Fields(value)
	switch key {
	case "severity":
		p.out.Severity = site.Severity(value)
		p.among(key, []string{value}, string(site.Error), string(site.Warning), string(site.Info))
	case "tier":
		p.out.Tier = site.Tier(value)
		p.among(key, []string{value}, string(site.Core), string(site.Strict), string(site.Audit))
	case "severity-py", "severity-go", "tier-py", "tier-go":
		p.differs(key, value)
	case "langs":
		p.out.Langs = words
		p.among(key, words, "go", "py")
	case "since":
		p.out.Since = value
	case "until":
		p.out.Until = value == "required"
		p.among(key, []string{value}, "required")
	case "gates", "flaws":
		p.among(key, words, string(site.Decode), string(site.Step), string(site.Implicit))
		for _, w := range words {
			kinds := map[string]*[]site.Kind{"gates": &p.out.Gates, "flaws": &p.out.Flaws}[key]
			*kinds = append(*kinds, site.Kind(w))
		}
	default:
		p.fail("%q is no key of a rule", key)
	}
}

// differs reads what a rule is in one language only.
func (p *reader) differs(key, value string) {
	what, lang, _ := strings.Cut(key, "-")
	if p.out.In == nil {
		p.out.In = map[string]site.Differs{}
	}
	d := p.out.In[lang]
	if what == "tier" {
		d.Tier = site.Tier(value)
		p.among(key, []string{value}, string(site.Core), string(site.Strict), string(site.Audit))
	} else {
		d.Severity = site.Severity(value)
		p.among(key, []string{value}, string(site.Error), string(site.Warning), string(site.Info))
	}
	p.out.In[lang] = d
}

func (p *reader) among(key string, words []string, allowed ...string) {
	for _, w := range words {
		if !slices.Contains(allowed, w) {
			p.fail("%s: %q is not one of %s", key, w, strings.Join(allowed, ", "))
		}
	}
}

func (p *reader) section(text string) {
	heading, body, _ := strings.Cut(text, "\n")
	body = strings.TrimSpace(body)
	if slices.Contains(p.seen, heading) {
		p.fail("the section %q is there twice", heading)
	}
	p.seen = append(p.seen, heading)
	switch heading {
	case "flags":
		p.out.Rule.Flags = flow(body)
	case "matters":
		p.out.Matters = flow(body)
	case "example":
		p.out.Examples = p.snippets(body)
		p.out.Example = join(p.out.Examples)
	case "guarded":
		p.out.Guards = p.snippets(body)
		p.out.Guarded = join(p.out.Guards)
	case "blind spots":
		p.out.Blind = p.list(body)
	case "sources":
		p.out.Sources = p.list(body)
	default:
		p.fail("%q is no section of a rule", heading)
	}
}

// flow makes one line of each paragraph: the file is wrapped, a page wraps anew.
func flow(body string) string {
	paragraphs := strings.Split(body, "\n\n")
	for i := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(paragraphs[i]), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

func (p *reader) list(body string) []string {
	var out []string
	for _, item := range strings.Split("\n"+body, "\n- ")[1:] {
		out = append(out, flow(item))
	}
	if len(out) == 0 || !strings.HasPrefix(body, "- ") {
		p.fail("a list is expected, each item behind %q", "- ")
	}
	return out
}

// snippets reads fenced code. All rules are read by every start of vet, so that
// no regular expression goes over them.
func (p *reader) snippets(body string) []Snippet {
	var out []Snippet
	for body != "" {
		lang, rest, opened := strings.Cut(strings.TrimPrefix(body, fence), "\n")
		code, behind, closed := strings.Cut(rest, "\n"+fence)
		if !strings.HasPrefix(body, fence) || strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz") != "" || lang == "" || !opened || !closed || behind != "" && behind[0] != '\n' {
			p.fail("fenced code is expected, with its language, and nothing else")
			return nil
		}
		out = append(out, Snippet{Lang: lang, Code: code})
		body = strings.TrimSpace(behind)
	}
	if len(out) == 0 {
		p.fail("fenced code is expected, with its language, and nothing else")
	}
	return out
}

// join puts the snippets of several languages below each other.
func join(list []Snippet) string {
	if len(list) == 1 {
		return list[0].Code
	}
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = s.Lang + ":\n" + s.Code
	}
	return strings.Join(parts, "\n\n")
}

// complete says what is missing. Every section but these two must be there:
// a rule has been wrong somewhere, or nobody has looked yet.
func (p *reader) complete() {
	for _, want := range []string{"severity", "langs", "tier", "since", "flags", "matters", "example", "guarded", "blind spots", "sources"} {
		if !slices.Contains(p.seen, want) {
			p.fail("%q is missing", want)
		}
	}
	for name, text := range map[string]string{"flags": p.out.Rule.Flags, "matters": p.out.Matters, "since": p.out.Since} {
		if text == "" {
			p.fail("%q is empty", name)
		}
	}
}
