package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // --tz works where the system has no zone files

	"github.com/trainvet/trainvet/analyzers"
	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/logscan/curve"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// schema is every key of the configuration: the quality checks declare theirs
// in a table of their own.
func schema() *config.Schema {
	var quality []config.Key
	for _, t := range curve.List() {
		quality = append(quality, config.Key{
			Path: "quality." + t.Name, Type: "float", Reason: t.Reason, Since: "0.1",
			Default: strconv.FormatFloat(t.Default, 'g', -1, 64),
		})
	}
	return config.NewSchema(quality...)
}

// settings loads the file of --config, or the nearest one.
func settings(call *cli.Call) (*config.Config, error) {
	var c *config.Config
	var err error
	if call.Config != "" {
		c, err = schema().Load(call.Config)
	} else {
		c, err = schema().Find(".")
	}
	var wrong *config.Error
	if errors.As(err, &wrong) || errors.Is(err, fs.ErrNotExist) {
		return nil, cli.Usage("%w", err)
	}
	if err != nil {
		return nil, cli.CouldNot("", err)
	}
	if call.Verbose {
		showSettings(call, c)
	}
	return c, nil
}

// showSettings names the file and what it sets, each with its line.
func showSettings(call *cli.Call, c *config.Config) {
	name := c.File
	if name == "" {
		name = "none, the defaults hold"
	}
	fmt.Fprintf(call.Stderr, "configuration: %s\n", plain.Line(name, 500))
	for _, v := range c.Values() {
		if v.Set {
			fmt.Fprintf(call.Stderr, "  %s\n", plain.Line(fmt.Sprintf("%s = %v (%s)", v.Key, v.Any, v.Origin), 500))
		}
	}
}

// setPython hands on what the configuration says of Python.
func setPython(opt *analyzers.Options, c *config.Config) {
	opt.PythonGuards = c.Strings("vet.python_guards")
	opt.PythonSource = c.String("vet.python_policy") == "source"
}

// selection is which rules run: flags speak before the configuration.
func selection(call *cli.Call, c *config.Config) (rules.Selection, error) {
	s := rules.Selection{Choice: rules.Choice{
		Tier: site.Tier(c.String("vet.tier")), Select: c.Strings("vet.select"), Extend: c.Strings("vet.extend"), Ignore: c.Strings("vet.ignore"),
	}}
	for _, row := range c.Rows("vet.paths") {
		s.Paths = append(s.Paths, rules.PathChoice{Files: row.Strings("files"), Choice: rules.Choice{
			Tier: site.Tier(row.String("tier")), Select: row.Strings("select"), Extend: row.Strings("extend"), Ignore: row.Strings("ignore"),
		}})
	}
	if t := call.Text("tier"); t != "" {
		s.Tier = site.Tier(t)
	}
	if list := codes(call.List("select")); len(list) > 0 {
		s.Select, s.Extend = list, nil
	}
	s.Ignore = append(s.Ignore, codes(call.List("ignore"))...)
	var unknown *rules.UnknownError
	if err := s.Check(); errors.As(err, &unknown) {
		return s, cli.Usage("vet: %w", err)
	}
	return s, nil
}

// codes splits what may be written with commas.
func codes(list []string) []string {
	var out []string
	for _, text := range list {
		for _, code := range strings.Split(text, ",") {
			if code = strings.ToUpper(strings.TrimSpace(code)); code != "" {
				out = append(out, code)
			}
		}
	}
	return out
}

// thresholds are the judge's, as the configuration has them.
func thresholds(c *config.Config) (*verdict.Config, error) {
	v := &verdict.Config{
		LossRatio:      c.Float("audit.lookback.loss_ratio"),
		StepTimeRatio:  c.Float("audit.lookback.step_time_ratio"),
		LookBackBytes:  c.Size("audit.lookback.max_bytes"),
		SkipShare:      c.Float("audit.skips.share"),
		SkipShortRun:   c.Int("audit.skips.short_run"),
		SkipShortShare: c.Float("audit.skips.short_share"),
		SkipTailShare:  c.Float("audit.skips.tail_share"),
		SkipInARow:     c.Int("audit.skips.in_a_row"),
		SkipLast:       c.Int("audit.skips.last"),
		Skew:           c.Duration("audit.order.skew"),
		FarBytes:       c.Size("audit.order.far_bytes"),
		FlushStretch:   c.Size("audit.order.flush_stretch"),
		StuckDigits:    int(c.Int("audit.stuck_digits")),
		Require:        c.Strings("audit.require"),
	}
	if word := c.String("audit.require_level"); word != "" {
		level, err := parseLevel(word)
		if err != nil {
			return nil, err
		}
		v.RequireLevel = &level
	}
	for pattern, word := range c.Under("audit.require_levels") {
		level, err := parseLevel(word)
		if err != nil {
			return nil, err
		}
		if v.RequireFor == nil {
			v.RequireFor = map[string]verdict.Level{}
		}
		v.RequireFor[pattern] = level
	}
	return v, nil
}

func parseLevel(word string) (level verdict.Level, err error) {
	if err := level.UnmarshalText([]byte(word)); err != nil {
		return level, cli.Usage("required level: %w", err)
	}
	return level, nil
}

// quality are the thresholds of the checks on curves.
func quality(c *config.Config) (curve.Thresholds, error) {
	th := curve.Defaults()
	for _, t := range curve.List() {
		var err error
		if th, err = th.With(t.Name, c.Float("quality."+t.Name)); err != nil {
			return th, cli.Usage("%w", err)
		}
	}
	return th, nil
}

// zone reads --tz: a name such as Europe/Berlin, UTC, or an offset such as
// +02:00.
func zone(name string) (*time.Location, error) {
	if name == "" {
		return nil, nil
	}
	if t, err := time.Parse("-07:00", name); err == nil {
		return t.Location(), nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, cli.Usage("--tz: %w", err).With("a zone is a name such as Europe/Berlin or an offset such as +02:00")
	}
	return loc, nil
}
