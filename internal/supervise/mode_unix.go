//go:build unix

package supervise

// settleMode chooses the way of the output where nobody did, and says so.
func (s *Session) settleMode() {
	if s.opt.Mode != Auto {
		return
	}
	c := circumstances{detached: s.opt.Detach, left: -1, reserve: s.opt.Reserve}
	if left, err := free(s.dir); err == nil {
		c.left = left
	}
	c.terminal = s.opt.Screen && foreground(s.opt.Stdin)
	c.script, c.name = scriptOf(s.prog.path, s.opt.Argv)
	var why string
	if s.opt.Mode, why = chooseMode(c); why != "" {
		s.say("the trainer gets %s: %s; --file lets it write to the log itself", s.opt.Mode.thing(), why)
	}
}

// thing is what a trainer gets in a mode.
func (m Mode) thing() string {
	if m == TTY {
		return "a terminal of its own"
	}
	return "one pipe"
}
