package main

import (
	"errors"
	"io"
	"strings"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/metric"
)

// userRows are the markers and metrics of the configuration, in the form of the
// catalogues' own tables.
type userRows struct {
	markers, metrics []config.Row
}

func rowsOf(c *config.Config) userRows {
	return userRows{markers: c.Rows("markers"), metrics: c.Rows("metrics")}
}

func (u userRows) any() bool { return len(u.markers)+len(u.metrics) > 0 }

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

// metricTable holds rows of the lexicon of names.
func (u userRows) metricTable() []io.Reader {
	if len(u.metrics) == 0 {
		return nil
	}
	var b strings.Builder
	for _, row := range u.metrics {
		b.WriteString("name")
		for _, field := range []string{"name", "kind", "role", "window"} {
			text := cell(row.String(field))
			if field == "name" {
				text = metric.Normalise(text)
			}
			b.WriteString("\t" + text)
		}
		b.WriteByte('\n')
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
	if len(u.metrics) == 0 {
		return c, nil
	}
	_, err = metric.Load(u.metricTable()...)
	var row *metric.RowError
	if errors.As(err, &row) {
		return nil, u.blame(u.metrics, row.Line-1, "", row.Err.Error())
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
