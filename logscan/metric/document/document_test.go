package document_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/document"
	"github.com/trainvet/trainvet/logscan/metric/tolerant"
)

func read(text string) ([]string, document.Info, error) {
	var out []string
	info, err := document.Read(context.Background(), strings.NewReader(text), func(r *document.Record) error {
		var b strings.Builder
		fmt.Fprintf(&b, "%s[%d]", r.Path, r.Index)
		for _, v := range r.Values {
			fmt.Fprintf(&b, " %s=%s", v.Name, v.Text)
			if at := text[v.Offset:]; !strings.HasPrefix(strings.TrimPrefix(at, `"`), v.Text) {
				panic("offset of " + v.Name)
			}
		}
		out = append(out, b.String())
		return nil
	})
	return out, info, err
}

func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"flat", `{"eval_loss": 0.5, "name": "x", "acc": "0.75", "ok": true}`, []string{"[-1] eval_loss=0.5 acc=0.75"}},
		{"nested", `{"results": {"hellaswag": {"acc,none": 0.5, "deep": {"x": 1}}}}`, []string{"[-1] results/hellaswag/acc,none=0.5"}},
		{"list of objects", `[{"epoch": 1, "loss": 2}, {"epoch": 2, "loss": NaN}]`, []string{"[0] epoch=1 loss=2", "[1] epoch=2 loss=NaN"}},
		{"list under a key", `{"history": [{"loss": 2}], "best": 1}`, []string{"history[0] loss=2", "[-1] best=1"}},
		{"series", `{"loss": [3, 2.5], "lr": []}`, []string{"loss[0] loss=3", "loss[1] loss=2.5"}},
		{"nothing", `[1, 2, [3]]`, nil},
		{"repeated key", `{"loss": 1, "acc": 2, "loss": 3}`, []string{"[-1] loss=3 acc=2"}},
	} {
		got, _, err := read(c.text)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got, c.name)
	}
	_, info, _ := read(`{"loss": 1, "loss": 3}`)
	require.Equal(t, []string{"loss"}, info.Repeated)
}

func TestTruncatedKeepsWhatWasRead(t *testing.T) {
	t.Parallel()
	got, _, err := read(`{"loss": 1, "acc": 0.`)
	var cut *tolerant.TruncatedError
	require.ErrorAs(t, err, &cut)
	require.Equal(t, []string{"[-1] loss=1"}, got)
}
