package flow

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// program writes a random function whose conditions and calls are decided when
// it runs: c() is a coin, f() may raise.
type program struct {
	b      strings.Builder
	rand   *rand.Rand
	budget int
}

func newProgram(seed uint64) string {
	p := &program{rand: rand.New(rand.NewPCG(seed, 1)), budget: 24}
	p.line(0, "def run():")
	p.block(1, false, 0)
	return p.b.String()
}

func (p *program) line(indent int, format string, args ...any) {
	p.b.WriteString(strings.Repeat(" ", indent))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

func (p *program) block(indent int, loop bool, depth int) {
	for range 1 + p.rand.IntN(3) {
		p.statement(indent, loop, depth)
	}
}

func (p *program) statement(indent int, loop bool, depth int) {
	p.budget--
	n := p.rand.IntN(16)
	if depth > 3 || p.budget < 0 {
		n %= 6
	}
	switch {
	case n < 3:
		p.line(indent, "f()")
	case n == 3:
		p.line(indent, "if c(): raise E")
	case n == 4 && loop:
		p.line(indent, "%s", []string{"if c(): break", "if c(): continue"}[p.rand.IntN(2)])
	case n == 5:
		p.line(indent, "if c(): return f()")
	case n == 6 || n == 7:
		p.compound(indent, "if c():", loop, depth)
		if p.coin() {
			p.compound(indent, "else:", loop, depth)
		}
	case n == 8 || n == 9:
		p.compound(indent, []string{"while c():", "while True:", "for i in r():"}[p.rand.IntN(3)], true, depth)
		if p.coin() {
			p.compound(indent, "else:", loop, depth)
		}
	case n < 13:
		p.try(indent, loop, depth)
	case n == 13:
		p.compound(indent, []string{"with s():", "with w():"}[p.rand.IntN(2)], loop, depth)
	case n == 14:
		p.line(indent, "match c():")
		p.compound(indent+1, "case True:", loop, depth)
		if p.coin() {
			p.compound(indent+1, "case _:", loop, depth)
		}
	default:
		p.line(indent, "f()")
	}
}

func (p *program) coin() bool { return p.rand.IntN(2) == 0 }

func (p *program) compound(indent int, header string, loop bool, depth int) {
	p.line(indent, "%s", header)
	if header == "while True:" {
		p.line(indent+1, "if k(): break") // k holds at last
	}
	p.block(indent+1, loop, depth+1)
}

func (p *program) try(indent int, loop bool, depth int) {
	p.compound(indent, "try:", loop, depth)
	handled := p.coin()
	if handled {
		p.compound(indent, []string{"except E:", "except:", "except F:", "except BaseException:"}[p.rand.IntN(4)], loop, depth)
		if p.coin() {
			p.compound(indent, "else:", loop, depth)
		}
	}
	if !handled || p.coin() {
		p.compound(indent, "finally:", loop, depth)
	}
}
