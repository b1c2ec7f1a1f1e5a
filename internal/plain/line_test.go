package plain

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		max  int
		want string
	}{
		"ordinary text":          {"step 4 loss 0.25", 0, "step 4 loss 0.25"},
		"other scripts":          {"損失 0.25 é ok", 0, "損失 0.25 é ok"},
		"escape sequence":        {"\x1b[2Jgone", 0, `\x1b[2Jgone`},
		"eight-bit control":      {"a\u009b31mb", 0, `a\u009b31mb`},
		"line ends":              {"a\r\nb", 0, `a\r\nb`},
		"tab":                    {"a\tb", 0, "a b"},
		"no-break space":         {"a\u00a0b", 0, "a b"},
		"bidi":                   {"user\u202etxt", 0, `user\u202etxt`},
		"zero width":             {"0\u200b.5", 0, `0\u200b.5`},
		"tag characters":         {"a\U000e0041", 0, `a\U000e0041`},
		"hangul filler":          {"a\u3164b", 0, `a\u3164b`},
		"invalid utf-8":          {"a\xffb\xc3", 0, `a\xffb\xc3`},
		"real replacement char":  {"a\ufffdb", 0, "a\ufffdb"},
		"stacked marks":          {"a" + strings.Repeat("\u0301", 6), 0, "a" + strings.Repeat("\u0301", 4) + `\u0301\u0301`},
		"mark at the start":      {"\u0301a", 0, `\u0301a`},
		"github command":         {"::add-mask::x", 0, `\::add-mask::x`},
		"github command, blank":  {"  ::error::x", 0, `  \::error::x`},
		"colons inside":          {"std::abort", 0, "std::abort"},
		"old github command":     {"x ##[group]y", 0, `x #\#[group]y`},
		"azure command":          {"##vso[task.complete]", 0, `#\#vso[task.complete]`},
		"heading is no command":  {"## loss", 0, "## loss"},
		"fits exactly":           {"12345", 5, "12345"},
		"cut in the middle":      {"0123456789", 7, "0123…89"},
		"cut keeps escapes":      {"ab\x1b\x1b\x1b\x1byz", 8, `ab…yz`},
		"cut to nothing but it":  {"0123456789", 1, "…"},
		"limit counts runes":     {"損失損失損失", 6, "損失損失損失"},
		"a command after a cut":  {strings.Repeat(" ", 3) + "::x" + strings.Repeat("y", 50), 12, `   \::xyy…yyy`},
		"empty":                  {"", 10, ""},
		"invalid byte at an end": {strings.Repeat("a", 50) + "\xe2\x82", 10, `aaaaaa…`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Line(c.in, c.max); got != c.want {
				t.Errorf("Line(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
			}
		})
	}
}

func TestGitHub(t *testing.T) {
	t.Parallel()
	got := GitHub("error", Place{File: "a,b:c.log", Line: 7}, "POISONED", "50% wrong\n::error::no")
	want := `::error file=a%2Cb%3Ac.log,line=7,title=POISONED::50%25 wrong\n::error::no`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := GitHub("notice", Place{}, "", "fine"); got != "::notice::fine" {
		t.Errorf("got %s", got)
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b]0;t\a", "\u202e\u200d", "a\xff\xfe", "::x::", "##[a]", "\u0301\u0301"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, max int) {
		max %= 1000
		for _, out := range []string{Line(s, max), GitHub("error", Place{File: s, Line: 1}, s, s)} {
			check(t, out)
		}
		out := Line(s, max)
		if strings.HasPrefix(strings.TrimLeft(out, " "), "::") || strings.Contains(out, "##[") {
			t.Errorf("a CI command passes: %q", out)
		}
		// Defusing a command costs at most one rune per command.
		if n := utf8.RuneCountInString(out); max > 0 && n > max+1+strings.Count(out, `#\#`) {
			t.Errorf("%d runes for a limit of %d", n, max)
		}
		if again := Line(out, 0); max <= 0 && again != out {
			t.Errorf("not stable: %q, then %q", out, again)
		}
	})
}

func check(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("invalid UTF-8: %q", out)
	}
	for _, r := range out {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || !unicode.IsPrint(r) {
			t.Errorf("%U passes in %q", r, out)
		}
	}
}
