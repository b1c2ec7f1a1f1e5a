package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/logscan"
)

// followAudit audits while the run goes on. What happens is told on standard
// error, line by line; standard output carries the report at the end, which is
// that of an audit.
func followAudit(ctx context.Context, call *cli.Call, cfg *config.Config, opt logscan.Options) error {
	if slices.Contains(call.Args, "-") {
		return cli.Usage("audit: --follow needs files: standard input ends by itself, audit - waits for it")
	}
	tell := teller{w: call.Stderr}
	if call.Quiet {
		tell.w = io.Discard
	}
	l, err := logscan.NewLive(call.Args, opt, logscan.LiveOptions{Until: call.Text("until"), Idle: call.Period("idle")}, tell.news)
	if err != nil {
		return auditError(err)
	}
	why, err := l.Run(ctx)
	if err != nil {
		return auditError(err)
	}
	tell.line("the end: %s", why)
	again, err := auditOptions(call, cfg) // its tables of rows can be read once
	if err != nil {
		return err
	}
	// An interrupt ends the following and not the report; the second one ends that too.
	ctx = context.WithoutCancel(ctx)
	res, ev, err := l.Final(ctx, again)
	if err != nil {
		return auditError(err)
	}
	return answer(ctx, call, cfg, res, ev)
}

// teller writes news as lines.
type teller struct{ w io.Writer }

const maxNews = 400 // runes of a line

// line writes one line, all of which may be untrusted.
func (t teller) line(format string, args ...any) {
	fmt.Fprintf(t.w, "trainvet: %s\n", plain.Line(fmt.Sprintf(format, args...), maxNews))
}

func (t teller) news(n logscan.News) {
	switch n.Kind {
	case logscan.NewsFault:
		t.line("FAULT at %s:%d: %s; what is computed from here on is in doubt", n.At.Source, n.At.Line, n.Text)
	case logscan.NewsGap:
		t.line("gap in %s: %s", n.At.Source, n.Text)
	case logscan.NewsWaiting:
		t.line("waiting for %s", n.Text)
	case logscan.NewsSource:
		t.line("following %s", n.Text)
	case logscan.NewsVerdict:
		t.line("%s", claimLine(n))
	}
}

// claimLine is a claim with its verdict so far.
func claimLine(n logscan.News) string {
	s := n.Subject
	name := s.Name
	if s.Split != "" && !strings.HasPrefix(name, s.Split) {
		name = s.Split + " " + name
	}
	text := fmt.Sprintf("%s %s: %s so far", name, s.Text, s.Verdict)
	if len(s.Why) > 0 {
		text += ", " + s.Why[0].Text
	}
	return text
}
