package source

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"plain":                       {"loss: 0.3", "loss: 0.3"},
		"tab stays":                   {"a\tb", "a\tb"},
		"colour inside a word":        {"command \x1b[31mbuf\x1b[0mfer", "command buffer"},
		"256 colours":                 {"\x1b[38;5;196mNVRM\x1b[m: Xid", "NVRM: Xid"},
		"grep colours and erases":     {"\x1b[01;31m\x1b[KXid\x1b[m\x1b[K 31", "Xid 31"},
		"cursor up separates":         {"4.0it/s]\x1b[A{'loss': 1}", "4.0it/s] {'loss': 1}"},
		"cursor up at the end":        {"4.0it/s]\x1b[A", "4.0it/s]"},
		"private mode":                {"\x1b[?25lstep\x1b[?25h", "step"},
		"title with bell":             {"\x1b]0;title\aloss", "loss"},
		"link with string terminator": {"\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		"title without end":           {"\x1b]0;loss: 0.3", "0;loss: 0.3"},
		"torn sequence":               {"loss\x1b[3", "loss"},
		"lone escape":                 {"loss\x1b", "loss"},
		"charset":                     {"\x1b(Bloss", "loss"},
		"8-bit control":               {"lo\u009bss", "loss"},
		"non-break space stays":       {"lo\u00a0ss", "lo\u00a0ss"},
		"backspace takes one":         {"abc\bd", "abd"},
		"backspace takes a rune":      {"ab█\bd", "abd"},
		"backspace at the start":      {"\bd", "d"},
		"bar drawn anew":              {"10/10 loss: 1\b\b\b\b\b\b\b\b20/20", "10/10 loss: 1 20/20"},
		"NUL":                         {"\x00\x00\x00lo\x00ss", "loss"},
		"bell, delete, shift":         {"l\ao\x7fs\x0es", "loss"},
		"form feed separates":         {"a\fb", "a b"},
		"byte order mark":             {"\ufeffloss", "loss"},
		"invalid UTF-8 stays":         {"lo\xff\xfess \xe2\x96", "lo\xff\xfess \xe2\x96"},
		"C2 at the end stays":         {"loss\xc2", "loss\xc2"},
		"only control":                {"\x1b[0m\x00", ""},
		"empty":                       {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, string(Clean([]byte(c.in), nil)))
			// The same behind and before text that is longer than a machine word.
			pad := "0123456789abcdef"
			if c.in != "" && c.in[0] != '\b' && c.in[0] != 0xef {
				require.Equal(t, pad+c.want, string(Clean([]byte(pad+c.in), nil)))
			}
		})
	}
}

func TestCleanKeepsCleanTextInPlace(t *testing.T) {
	t.Parallel()
	in := []byte("step 3: loss 0.5 │ █ tab\there")
	got := Clean(in, make([]byte, 0, 8))
	require.Same(t, &in[0], &got[0])
}

func TestCleanAllocatesNothing(t *testing.T) {
	in := []byte("\x1b[32m step 3: loss 0.5\x1b[0m and more text behind it")
	scratch := make([]byte, 0, 256)
	require.Zero(t, testing.AllocsPerRun(100, func() { scratch = Clean(in, scratch)[:0] }))
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"\x1b[31mx\x1b[0m", "a\b\b\bb", "\x1b]0;t\a", "\xef\xbb\xbfx", "\xc2\x9b31m", "\x00\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got := bytes.Clone(Clean(bytes.Clone(in), nil))
		for i := range got {
			if c := got[i]; c < 0x20 && c != '\t' || c == 0x7f {
				t.Fatalf("control byte %#x left in %q", c, got)
			}
		}
		if len(got) > len(in) {
			t.Fatalf("grew from %d to %d", len(in), len(got))
		}
		// A single byte at a time and eight at a time see the same.
		i := indexControl(in)
		for j := range in {
			if isControl(in, j) {
				if i != j {
					t.Fatalf("first control at %d, found %d", j, i)
				}
				return
			}
		}
		if i != -1 {
			t.Fatalf("no control, found %d", i)
		}
	})
}

func FuzzPrefix(f *testing.F) {
	for _, s := range []string{
		"2026-01-02 10:11:12,123 - a - INFO - text", "[rank0]:[E602 11:17:52.185053341 P.cpp:632] x",
		"2026-01-02T10:11:12Z stderr F x", "Jan  2 10:11:12 n kernel: [1.123456] x", "(A pid=1, ip=1.1.1.1) x", "12: x",
		"[NeMo I 2024-01-02 10:11:12 e:2] x", "[1,2]<stdout>:x", "job\tstep\t2026-01-02T10:11:12Z x", "n-1  | x", "> x",
	} {
		for label := range byte(8) {
			f.Add([]byte(s), label)
		}
	}
	labels := []Label{NoLabel, RankColon, RankBracket, LineNumber, HostColon, Compose, Quote, Tabs}
	f.Fuzz(func(t *testing.T, in []byte, label byte) {
		st := Style{Label: labels[int(label)%len(labels)], Journal: label&8 != 0, DayFirst: label&16 != 0}
		text := Clean(in, nil)
		p, rest := st.Prefix(text)
		if !bytes.HasSuffix(text, rest) {
			t.Fatalf("%q is no suffix of %q", rest, text)
		}
		if p.Rank < noRank || p.Pid < 0 {
			t.Fatalf("%+v of %q", p, text)
		}
		_, _ = ReadPrefix(text)
		Sniff(in, Options{})
	})
}
