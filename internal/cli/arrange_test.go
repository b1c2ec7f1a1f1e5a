package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzArrange holds that no command line makes the parser panic, that every
// word behind -- arrives, and that no flag is taken for an argument.
func FuzzArrange(f *testing.F) {
	f.Add("echo run.log --format json -- --x")
	f.Add("--color never echo -qv -n=a=b --count=-3")
	f.Add("run --all prog --help")
	f.Add("help echo - = -- -")
	f.Fuzz(func(t *testing.T, words string) {
		argv := strings.Fields(words)
		l, err := toy().arrange(argv)
		if err != nil || l.command == "" || l.help || l.command == "run" {
			return
		}
		for i, w := range argv {
			if w == "--" && i > 0 {
				rest := argv[i+1:]
				if len(l.args) >= len(rest) {
					require.Equal(t, strings.Join(rest, " "), strings.Join(l.args[len(l.args)-len(rest):], " "))
				}
				return
			}
		}
		for _, arg := range l.args {
			require.True(t, arg == "-" || !strings.HasPrefix(arg, "-"), "%q is taken for an argument", arg)
		}
	})
}
