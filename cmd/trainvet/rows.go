package main

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/metric"
)

// userRows are the markers and metrics of the configuration, in the form of the
// catalogues' own tables.
type userRows struct {
	markers, metrics, formats []config.Row
}

func rowsOf(c *config.Config) userRows {
	return userRows{markers: c.Rows("markers"), metrics: c.Rows("metrics"), formats: c.Rows("formats")}
}

func (u userRows) any() bool { return len(u.markers)+len(u.metrics)+len(u.formats) > 0 }

// markerColumns are the fields of [[markers]], by the names that the table of
// markers gives its columns.
var markerColumns = [][2]string{
	{"id", "id"}, {"class", "class"}, {"scope", "scope"}, {"effect", "effect"}, {"clears", "clears"},
	{"origin", "origin"}, {"continues", "continues"}, {"block", "block"}, {"anchors", "anchors"},
	{"pattern", "pattern"}, {"title", "title"}, {"meaning-code", "meaning_code"}, {"source", "source"},
}

// markerTable is empty where the user adds none.
func (u userRows) markerTable() []io.Reader {
	if len(u.markers) == 0 {
		return nil
	}
	var b strings.Builder
	for i, c := range markerColumns {
		if i > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(c[0])
	}
	for _, row := range u.markers {
		b.WriteByte('\n')
		for i, c := range markerColumns {
			if i > 0 {
				b.WriteByte('\t')
			}
			text := row.String(c[1])
			if list := row.Strings(c[1]); len(list) > 0 {
				text = strings.Join(list, " || ")
			}
			b.WriteString(cell(text))
		}
	}
	return []io.Reader{strings.NewReader(b.String() + "\n")}
}

// metricTable holds rows of the lexicon of names, then rows of formats, one a
// line, so that a line number finds its row.
func (u userRows) metricTable() []io.Reader {
	var b strings.Builder
	for _, row := range u.metrics {
		b.WriteString("name\t" + metric.Normalise(cell(row.String("name"))))
		for _, field := range []string{"kind", "role", "window"} {
			b.WriteString("\t" + cell(row.String(field)))
		}
		b.WriteByte('\n')
	}
	for _, row := range u.formats {
		flush := ""
		if row.Bool("flush") {
			flush = "yes"
		}
		cells := []string{
			row.String("id"), "", row.String("anchor"), row.String("pattern"), strings.Join(row.Strings("fields"), " "),
			row.String("role"), row.String("split"), flush, row.String("window"), row.String("note"),
		}
		for i := range cells {
			cells[i] = cell(cells[i])
		}
		b.WriteString(strings.Join(cells, "\t") + "\n")
	}
	if b.Len() == 0 {
		return nil
	}
	return []io.Reader{strings.NewReader(b.String())}
}

// cell keeps a value inside its cell.
func cell(text string) string {
	return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(text)
}

// check loads the catalogues with the user's rows, so that a row that cannot be
// used is reported with its place in the configuration.
func (u userRows) check() (*marker.Catalog, error) {
	c, err := marker.Load(u.markerTable()...)
	var wrong *marker.RowError
	if errors.As(err, &wrong) && len(u.markers) > 0 {
		return nil, u.blame(u.markers, wrong.Row-2, strings.ReplaceAll(wrong.Column, "-", "_"), wrong.Text)
	}
	if err != nil {
		return nil, cli.CouldNot("loading the markers", err)
	}
	_, err = metric.Load(u.metricTable()...)
	var row *metric.RowError
	if errors.As(err, &row) {
		return nil, u.blame(append(slices.Clone(u.metrics), u.formats...), row.Line-1, "", row.Err.Error())
	}
	if err != nil {
		return nil, cli.CouldNot("loading the metric names", err)
	}
	return c, nil
}

func (u userRows) blame(rows []config.Row, i int, field, text string) error {
	if i < 0 || i >= len(rows) {
		return cli.Usage("configuration: %s", text)
	}
	if field != "" {
		text = field + ": " + text
	}
	return cli.Usage("%s: %s", rows[i].Origin, text)
}
