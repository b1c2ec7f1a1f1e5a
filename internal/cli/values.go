package cli

import (
	urfave "github.com/urfave/cli/v2"
)

// convert makes urfave/cli's flags of ours.
func convert(flags []Flag) []urfave.Flag {
	out := make([]urfave.Flag, 0, len(flags))
	for _, f := range flags {
		switch f.Kind {
		case Switch:
			out = append(out, &urfave.BoolFlag{Name: f.Name})
		case Text:
			out = append(out, &urfave.StringFlag{Name: f.Name})
		case List:
			out = append(out, &urfave.StringSliceFlag{Name: f.Name})
		case Integer:
			out = append(out, &urfave.IntFlag{Name: f.Name})
		case Period:
			out = append(out, &urfave.DurationFlag{Name: f.Name})
		}
	}
	return out
}

// values takes the flags that were given.
func values(flags []Flag, c *urfave.Context) map[string]any {
	out := map[string]any{}
	for _, f := range flags {
		if !c.IsSet(f.Name) {
			continue
		}
		switch f.Kind {
		case Switch:
			out[f.Name] = c.Bool(f.Name)
		case Text:
			out[f.Name] = c.String(f.Name)
		case List:
			out[f.Name] = c.StringSlice(f.Name)
		case Integer:
			out[f.Name] = c.Int(f.Name)
		case Period:
			out[f.Name] = c.Duration(f.Name)
		}
	}
	return out
}
