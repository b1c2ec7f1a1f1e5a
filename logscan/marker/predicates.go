package marker

import (
	"bytes"
	"fmt"
	"regexp"
)

// predicate is the test of a `code:` pattern: what a regular expression cannot
// say.
func (c *Catalog) predicate(name string) (matcher, error) {
	switch name {
	case "xid":
		return newXidLine(c), nil
	case "megatron-no-loss":
		return newNoLoss(), nil
	case "shell-killed":
		return newShellKilled(c), nil
	}
	return nil, fmt.Errorf("%q is no predicate; there are xid, megatron-no-loss and shell-killed", name)
}

// newShellKilled matches what a shell prints of a killed child: `Killed` alone,
// or `run.sh: line 5: 123 Killed      python train.py`. It is code since its
// anchor, a line that is nothing but the word, needs the ends of the line.
func newShellKilled(c *Catalog) matcher {
	return expression{
		re:    regexp.MustCompile(`^(?:[\w./-]+: line \d+:\s+)?(?:\[\d+\][+-]?\s+)?(?:(?P<pid>\d+) )?Killed(?:\s{3,}\S.*)?\s*$`),
		heads: c.heads,
	}
}

// noLoss matches a Megatron iteration line without a loss: the field is left
// out when every iteration of the interval was NaN or skipped.
type noLoss struct{ iteration, field *regexp.Regexp }

func newNoLoss() noLoss {
	return noLoss{
		iteration: regexp.MustCompile(`iteration\s+\d+/\s*\d+ \|`),
		field:     regexp.MustCompile(`[\w ]*loss: `),
	}
}

func (n noLoss) find(text []byte, d *Def, to []Match) []Match {
	at := n.iteration.FindIndex(text)
	if at == nil || !bytes.Contains(text, []byte("loss scale: ")) || n.field.Match(text) {
		return to
	}
	return append(to, d.match(at[0], at[1]))
}
