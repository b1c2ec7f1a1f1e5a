package marker

import (
	"fmt"
	"regexp"
)

// predicate is the test of a `code:` pattern: what a regular expression cannot
// say.
func (c *Catalog) predicate(name string) (matcher, error) {
	switch name {
	case "xid":
		return newXidLine(c), nil
	case "shell-killed":
		return newShellKilled(c), nil
	}
	return nil, fmt.Errorf("%q is no predicate; there are xid and shell-killed", name)
}

// newShellKilled matches what a shell prints of a killed child: `Killed` alone
// (macOS adds the signal: `Killed: 9`), or `run.sh: line 5: 123 Killed      python
// train.py`. It is code since its anchor, a line that is nothing but the word,
// needs the ends of the line.
func newShellKilled(c *Catalog) matcher {
	re := regexp.MustCompile(`^(?:[\w./-]+: line \d+:\s+)?(?:\[\d+\][+-]?\s+)?(?:(?P<pid>\d+) )?Killed(?:: 9)?(?:\s{3,}\S.*)?\s*$`)
	return &expression{compile: func() *regexp.Regexp { return re }, needs: func() needs { return nil }, heads: c.heads}
}
