package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// claimed is a run with one claim a metric, as an audit would return it.
func claimed(path string, claims ...verdict.Subject) Run {
	res := &verdict.Result{Claims: claims}
	r := Run{Path: path, Result: res, Printed: map[Key][]Printed{}, Kinds: map[Key]evidence.Kind{}}
	for _, c := range claims {
		res.Headline = max(res.Headline, c.Verdict)
		kind := evidence.KindLoss
		if strings.Contains(c.Name, "acc") || strings.Contains(c.Name, "f1") {
			kind = evidence.KindAccuracy
		}
		r.Kinds[Key{c.Name, c.Split}] = kind
	}
	return r
}

func value(name, text string, n int64) verdict.Subject {
	var v float64
	fmt.Sscan(text, &v)
	s := verdict.Subject{Name: name, Value: evidence.Num(v), Text: text}
	if n > 0 {
		s.Samples = &n
	}
	return s
}

func TestSharesAreRecognised(t *testing.T) {
	for _, tt := range []struct {
		name       string
		a, b       verdict.Subject
		told, want int // items; 0: no shares
	}{
		{"n in the log", value("accuracy", "0.811", 37), value("accuracy", "0.838", 37), 0, 37},
		{"n in one log", value("accuracy", "0.811", 37), value("accuracy", "0.838", 0), 0, 37},
		{"told", value("accuracy", "0.811", 0), value("accuracy", "0.838", 0), 37, 37},
		{"full precision shows n", value("accuracy", "0.8108108108108109", 0), value("accuracy", "0.8378378378378378", 0), 0, 37},
		{"float32 shows n", value("accuracy", "0.8108108043670654", 0), value("accuracy", "0.837837815284729", 0), 0, 37},
		{"percent", value("accuracy", "81.0810810810811", 0), value("accuracy", "83.7837837837838", 0), 0, 37},
		{"too coarse to tell", value("accuracy", "0.811", 0), value("accuracy", "0.838", 0), 0, 0},
		{"no whole number of nths", value("accuracy", "0.8151", 37), value("accuracy", "0.8381", 37), 0, 0},
		{"a loss is no share", value("val_loss", "0.5", 1000), value("val_loss", "0.25", 1000), 0, 0},
		{"an F1 that any n would fit", value("f1", "0.81", 1000), value("f1", "0.84", 1000), 0, 0},
		{"a mean over classes", value("balanced_accuracy", "0.81", 1000), value("balanced_accuracy", "0.84", 1000), 0, 0},
		{"all right", value("accuracy", "1.0", 37), value("accuracy", "0.973", 37), 0, 37},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Runs([]Run{claimed("a", tt.a)}, []Run{claimed("b", tt.b)}, Options{N: tt.told})
			require.NoError(t, err)
			m := r.Metrics[0]
			if tt.want == 0 {
				require.Nil(t, m.Granularity)
				require.Equal(t, CannotTell, m.Verdict)
				require.Equal(t, "runs", m.Unit)
				return
			}
			require.NotNil(t, m.Granularity)
			require.Equal(t, tt.want, m.Granularity.N)
			require.Equal(t, "items", m.Unit)
		})
	}
}

func TestRunsOfSeeds(t *testing.T) {
	arm := func(values ...string) (runs []Run) {
		for _, v := range values {
			runs = append(runs, claimed("run", value("accuracy", v, 1000)))
		}
		return runs
	}
	r, err := Runs(arm("0.801", "0.803", "0.802", "0.804"), arm("0.851", "0.853", "0.852", "0.854"), Options{})
	require.NoError(t, err)
	m := r.Metrics[0]
	require.Equal(t, Different, m.Verdict)
	require.InDelta(t, 0.05, m.Difference, 1e-9)
	require.NotNil(t, m.Detectable)
	require.NotNil(t, m.Bootstrap)
	require.InDelta(t, 0.001, m.Granularity.Step, 1e-12)
	require.True(t, r.Settled())

	r, err = Runs(arm("0.801", "0.803", "0.802"), arm("0.851", "0.853", "0.852"), Options{})
	require.NoError(t, err)
	require.Equal(t, CannotTell, r.Metrics[0].Verdict)
	require.Equal(t, 1, r.Metrics[0].More, "the fourth run settles it")
	require.Nil(t, r.Metrics[0].Detectable)
	require.False(t, r.Settled())
}

func TestHolmAcrossMetrics(t *testing.T) {
	run := func(path, a, b string) Run {
		return claimed(path, value("accuracy", a, 1000), value("top5_accuracy", b, 1000))
	}
	// p is 0.04 for the first alone: of two it is not significant.
	r, err := Runs([]Run{run("a", "0.800", "0.950")}, []Run{run("b", "0.836", "0.951")}, Options{})
	require.NoError(t, err)
	require.Less(t, *r.Metrics[0].P, 0.05)
	require.Greater(t, *r.Metrics[0].Adjusted, 0.05)
	require.Equal(t, CannotTell, r.Metrics[0].Verdict)
	only := func(name string) bool { return name == "accuracy" }
	r, err = Runs([]Run{run("a", "0.800", "0.950")}, []Run{run("b", "0.836", "0.951")}, Options{Choose: only})
	require.NoError(t, err)
	require.Equal(t, Different, r.Metrics[0].Verdict)
}

func TestAPoisonedArmIsRefused(t *testing.T) {
	bad := value("accuracy", "0.9", 100)
	bad.Verdict = verdict.Poisoned
	bad.Why = []verdict.Reason{{Text: "computed after a fault"}}
	a, b := claimed("a", value("accuracy", "0.8", 100), value("loss", "1.0", 0)), claimed("b", bad, value("loss", "1.1", 0))
	r, err := Runs([]Run{a}, []Run{b}, Options{})
	require.NoError(t, err)
	require.Empty(t, r.Metrics)
	require.Equal(t, []Refusal{{Arm: "B", Run: "b", Metric: "accuracy", Why: []string{"computed after a fault"}}}, r.Refused)
	// The twin: what is chosen is sound.
	r, err = Runs([]Run{a}, []Run{b}, Options{Choose: func(name string) bool { return name == "loss" }})
	require.NoError(t, err)
	require.Empty(t, r.Refused)
	require.Len(t, r.Metrics, 1)
	// An unproven arm is compared, and the doubt stands beside it.
	unsure := value("accuracy", "0.9", 100)
	unsure.Verdict = verdict.Unproven
	unsure.Why = []verdict.Reason{{Text: "no order", Verdict: verdict.Unproven}}
	r, err = Runs([]Run{claimed("a", value("accuracy", "0.8", 100))}, []Run{claimed("b", unsure)}, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"UNPROVEN: no order"}, r.Metrics[0].B.Verdicts)
}

func TestStepsStandBesideTheArms(t *testing.T) {
	a := claimed("a", value("accuracy", "0.8", 100))
	a.Result.Steps = &verdict.Steps{Attempted: 2000, Skipped: 8}
	b := claimed("b", value("accuracy", "0.8", 100))
	r, err := Runs([]Run{a}, []Run{b}, Options{})
	require.NoError(t, err)
	require.EqualValues(t, 1992, r.Training[0].Applied)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out, false))
	require.Contains(t, out.String(), "2000 steps attempted, 8 skipped, 1992 applied")
	require.Contains(t, out.String(), "optimizer steps are not told")
}

// TestWhatIsNotFinite is no measurement of either arm, in text or JSON.
func TestWhatIsNotFinite(t *testing.T) {
	nan := value("loss", "1.0", 0)
	nan.Value, nan.Text, nan.Verdict = evidence.Num(math.NaN()), "nan", verdict.Unproven
	r, err := Runs([]Run{claimed("a", nan)}, []Run{claimed("b", value("loss", "1.0", 0))}, Options{})
	require.NoError(t, err)
	require.Equal(t, CannotTell, r.Metrics[0].Verdict)
	_, err = json.Marshal(r)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out, false))
	require.Contains(t, out.String(), "CANNOT TELL  loss: A not finite, B 1")
}

func TestNothingInCommon(t *testing.T) {
	_, err := Runs([]Run{claimed("a", value("accuracy", "0.8", 0))}, []Run{claimed("b", value("loss", "1", 0))}, Options{})
	require.ErrorContains(t, err, "accuracy: b does not have it")
}

func read(t *testing.T, name, text string, score Score) []Item {
	t.Helper()
	items, err := ReadPredictions(name, strings.NewReader(text), score)
	require.NoError(t, err)
	return items
}

func TestPredictions(t *testing.T) {
	var a, b strings.Builder
	a.WriteString("id,reference,hypothesis\n")
	b.WriteString("id,reference,hypothesis\n")
	for i := range 37 {
		inA, inB := "x", "x"
		if i < 7 { // both arms miss the first six, A the seventh too
			inA = "y"
		}
		if i < 6 {
			inB = "y"
		}
		fmt.Fprintf(&a, "%d,x,%s\n", i, inA)
		fmt.Fprintf(&b, "%d,x,%s\n", i, inB)
	}
	r, err := Predictions(read(t, "a.csv", a.String(), Accuracy), read(t, "b.csv", b.String(), Accuracy), Accuracy, Options{})
	require.NoError(t, err)
	m := r.Metrics[0]
	require.Equal(t, CannotTell, m.Verdict, "30 of 37 against 31 of 37 is one sample")
	require.Equal(t, 30, *m.A.K)
	require.Equal(t, 31, *m.B.K)
	require.InDelta(t, 1, *m.P, 1e-12)
	require.Equal(t, []Flip{{"6", "B"}}, m.Flipped)
	require.InDelta(t, 6.0/37, *m.Detectable, 1e-12)

	utterances := func(wrong int) string {
		var s strings.Builder
		s.WriteString("item\tlabel\tprediction\n")
		for i := range 60 {
			words := strings.Fields("one two three four five")
			for k := range wrong {
				words[(i+k)%5] = "other"
			}
			fmt.Fprintf(&s, "%d\tone two three four five\t%s\n", i, strings.Join(words, " "))
		}
		return s.String()
	}
	for _, score := range []Score{WER, CER, BLEU} {
		r, err = Predictions(read(t, "a.tsv", utterances(0), score), read(t, "b.tsv", utterances(2), score), score, Options{})
		require.NoError(t, err)
		require.Equal(t, Different, r.Metrics[0].Verdict, score)
		r, err = Predictions(read(t, "a.tsv", utterances(1), score), read(t, "b.tsv", utterances(1), score), score, Options{})
		require.NoError(t, err)
		require.Equal(t, Same, r.Metrics[0].Verdict, score)
	}
	scores := "item,score\na,1\nb,2\nc,4\n"
	r, err = Predictions(read(t, "a.csv", scores, Mean), read(t, "b.csv", scores, Mean), Mean, Options{})
	require.NoError(t, err)
	require.InDelta(t, 7.0/3, r.Metrics[0].A.Value, 1e-12)
}

func TestPredictionsThatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "it is empty",
		"item,label,prediction\n":               "it holds no item",
		"item,guess\na,b\n":                     "f.csv:1: no column label",
		"item,label,prediction\na,1,1\na,1,1\n": `f.csv:3: item "a" stands there a second time`,
		"item,label,prediction\na,1\n":          "wrong number of fields",
	} {
		_, err := ReadPredictions("f.csv", strings.NewReader(text), Accuracy)
		require.ErrorContains(t, err, want)
	}
	_, err := ReadPredictions("f.csv", strings.NewReader("item,score\na,nan\n"), Mean)
	require.ErrorContains(t, err, "no finite number")
	head := "item,label,prediction\n"
	_, err = Predictions(read(t, "a", head+"a,1,1\n", Accuracy), read(t, "b", head+"a,2,1\n", Accuracy), Accuracy, Options{})
	require.ErrorContains(t, err, "not measured on the same data")
	_, err = Predictions(read(t, "a", head+"a,1,1\n", Accuracy), read(t, "b", head+"b,1,1\n", Accuracy), Accuracy, Options{})
	require.ErrorContains(t, err, "no item in common")
}

func TestExact(t *testing.T) {
	run := func(texts ...string) *verdict.Result {
		res := &verdict.Result{}
		for i, text := range texts {
			v := value("loss", text, 0)
			v.Step = evidence.Span{Has: true, First: evidence.Num(i), Last: evidence.Num(i)}
			res.Values = append(res.Values, v)
		}
		speed := value("step_time", fmt.Sprint(len(texts)), 0)
		speed.Role = evidence.Speed
		res.Values = append(res.Values, speed)
		return res
	}
	var same ExactReport
	same.ExactValues(run("1.50", "1.25"), run("1.50", "1.25"))
	require.True(t, same.Identical())
	require.Equal(t, 2, same.Values, "the speed is none of them")
	var parts ExactReport
	parts.ExactValues(run("1.50", "1.25", "1.0"), run("1.50", "1.26", "1.0"))
	require.Equal(t, "step 1, :0", parts.Parts[0].Where)
	var longer ExactReport
	longer.ExactValues(run("1.50"), run("1.50", "1.26"))
	require.Equal(t, Part{"loss", "number of values", "1", "2"}, longer.Parts[0])
	var nothing ExactReport
	require.False(t, nothing.Identical(), "nothing was compared")

	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	a := fstest.MapFS{"m/model.bin": file("abcdef"), "log": file("1"), "same": file("x"), "old": file("")}
	b := fstest.MapFS{"m/model.bin": file("abcxef"), "log": file("2"), "same": file("x"), "new": file("")}
	var files ExactReport
	require.NoError(t, files.ExactFiles(a, b, func(name string) bool { return name == "log" }))
	require.Equal(t, []Part{{"m/model.bin", "byte 3", "0x64", "0x78"}}, files.Parts)
	require.Equal(t, []string{"old"}, files.OnlyA)
	require.Equal(t, []string{"new"}, files.OnlyB)
	var items ExactReport
	items.ExactItems([]Item{{ID: "1", Prediction: "x"}, {ID: "2", Prediction: "x"}}, []Item{{ID: "1", Prediction: "x"}, {ID: "2", Prediction: "y"}})
	require.Equal(t, []Part{{"item 2", "prediction", "x", "y"}}, items.Parts)
}

func FuzzReadPredictions(f *testing.F) {
	f.Add("item,label,prediction\na,1,1\n")
	f.Add("item\tscore\na\t1\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, score := range []Score{Accuracy, Mean} {
			items, err := ReadPredictions("f.csv", strings.NewReader(text), score)
			if err != nil {
				continue
			}
			r, err := Predictions(items, items, score, Options{})
			require.NoError(t, err)
			require.NotEqual(t, Different, r.Metrics[0].Verdict)
		}
	})
}
