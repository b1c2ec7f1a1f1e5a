// Command chartext trains a transformer of characters with GoMLX on a nursery
// rhyme, with the guards of trainvet attached, and evaluates it by letting it
// write on.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/trainvet/trainvet/guards"
	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
)

// settings are what the flags say.
type settings struct {
	seed  int64
	steps int
	batch int
	rate  float64
	dtype dtypes.DType
	scale float64
	sum   bool
	fault injection
	dir   string
	every int
	probe bool
}

// newBackend is where the model is computed: one operation after another. The
// pool of workers of compute v0.1.2 can wait for itself when operations, and
// the products within them, run side by side on few cores.
var newBackend = sync.OnceValues(func() (compute.Backend, error) { return gobackend.New("parallelism=0,ops_sequential") })

func main() {
	err := mainError(os.Args[1:])
	if lost := guards.Close(); err == nil {
		err = lost
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "chartext:", err)
		os.Exit(1)
	}
}

func mainError(args []string) error {
	backend, err := newBackend()
	if err != nil {
		return err
	}
	p := probe(backend)
	if p.Serve() { // this process was started to compute a candidate
		return nil
	}
	s, err := parse(args)
	if err != nil {
		return err
	}
	if s.probe {
		if err := runProbe(p); err != nil {
			return err
		}
	}
	return run(s)
}

func parse(args []string) (settings, error) {
	s := settings{}
	flags := flag.NewFlagSet("chartext", flag.ContinueOnError)
	flags.Int64Var(&s.seed, "seed", 1, "of parameters and of the order of the data")
	flags.IntVar(&s.steps, "steps", 160, "global step to train to")
	flags.IntVar(&s.batch, "batch", 8, "windows in a batch")
	flags.Float64Var(&s.rate, "rate", 0.01, "learning rate")
	flags.StringVar(&s.dir, "checkpoints", "", "folder of checkpoints: where there is one the training goes on from it")
	flags.IntVar(&s.every, "every", 10, "steps between checkpoints")
	flags.BoolVar(&s.probe, "probe", false, "hold the backend against plain Go before the training")
	flags.Float64Var(&s.scale, "scale", 0, "loss scale to begin with; 0: the loss is not scaled")
	flags.BoolVar(&s.sum, "sum", false, "sum the loss over the batch instead of its mean, as some trainers do: gradients are larger")
	dtype := flags.String("dtype", "float32", "float32, bfloat16 or float16: what matrices are multiplied in")
	inject := flags.String("inject", "", "make a fault, as KIND@STEP: input-ids, output-ids, nan, skip, kill")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	var err error
	if s.fault, err = parseInjection(*inject); err != nil {
		return s, err
	}
	var known bool
	if s.dtype, known = dtypes.MapOfNames[*dtype]; !known {
		return s, fmt.Errorf("there is no type %q", *dtype)
	}
	return s, nil
}

// trainer is all that a run needs.
type trainer struct {
	settings
	backend compute.Backend
	store   *model.Store
	model   transformer
	letters *alphabet
	inputs  *guards.Site
	written *guards.Site
	guard   *gomlxguard.Guard
	loop    *train.Loop
}

func run(s settings) error {
	t, err := build(s)
	if err != nil {
		return err
	}
	text := t.letters.Encode(jack)
	split := len(text) * 3 / 4
	order := order{seed: s.seed, step: t.loop.LoopStep} // one that goes on sees what it would have seen
	data := s.fault.dataset(&windows{name: "train", ids: text[:split], batch: s.batch, order: &order})
	if at := t.loop.LoopStep; at > 0 {
		fmt.Printf("resuming from step %d\n", at)
	}
	if _, err := t.guard.RunToGlobalStep(gomlxguard.Dataset(data, t.inputs), s.steps); err != nil {
		return fmt.Errorf("training: %w", err)
	}
	held := &windows{name: "held out", ids: text[split:], batch: s.batch}
	return errors.Join(t.evaluate(held), t.write(text[split:]))
}

func build(s settings) (*trainer, error) {
	backend, err := newBackend()
	if err != nil {
		return nil, err
	}
	t := &trainer{settings: s, backend: backend, store: model.NewStore(), letters: newAlphabet(jack)}
	t.store.SetParam(model.ParamInitialSeed, s.seed)
	n := len(t.letters.chars)
	vocab, err := guards.NewVocab(n, guards.LogitsWidth(n), guards.From("characters of the text"))
	if err != nil {
		return nil, err
	}
	t.inputs, t.written = guards.DecodeSite("inputs", vocab), guards.DecodeSite("written", vocab)
	t.model = transformer{vocab: n, dtype: s.dtype}
	adam, err := s.optimizer()
	if err != nil {
		return nil, err
	}
	saved, err := s.checkpoints(t.store) // before the trainer, which makes variables
	if err != nil {
		return nil, err
	}
	accuracy := metric.NewSparseCategoricalAccuracy("Accuracy", "#acc")
	tr := train.NewTrainer(t.backend, t.store, t.model.graph, s.loss, adam,
		nil, []metric.Interface{accuracy, gomlxguard.Outputs()})
	t.loop = train.NewLoop(tr)
	t.guard = gomlxguard.Attach(t.loop, gomlxguard.Optimizer("adam"))
	t.loop.OnStep("log", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		if step := loop.LoopStep + 1; step%10 == 0 {
			fmt.Printf("step %d loss %.4f\n", step, metrics[0].Value())
		}
		return nil
	})
	s.fault.attach(t.loop, t.store)
	if saved != nil {
		t.guard.SaveEvery(saved, s.every)
		return t, t.guard.Resumed(saved)
	}
	return t, nil
}

// checkpoints loads the newest checkpoint, if there is one; nil: none are kept.
func (s settings) checkpoints(store *model.Store) (*checkpoint.Handler, error) {
	if s.dir == "" {
		return nil, nil
	}
	halves, err := gomlxguard.SetAside(s.dir)
	for _, name := range halves {
		fmt.Printf("%s was not written whole: it is set aside\n", name)
	}
	if err != nil {
		return nil, err
	}
	return checkpoint.Build(store).Dir(s.dir).Keep(2).Immediate().Done()
}

// loss is the cross entropy of the characters: GoMLX gives its mean.
func (s settings) loss(labels, logits []*graph.Node) *graph.Node {
	mean := loss.SparseCategoricalCrossEntropyLogits(labels, logits)
	if s.sum {
		return graph.MulScalar(mean, float64(labels[0].Shape().Size()))
	}
	return mean
}

// optimizer is Adam, watched or behind a loss scaler.
func (s settings) optimizer() (optimizer.Interface, error) {
	adam := optimizer.Adam().LearningRate(s.rate).Done()
	if s.scale > 0 {
		adam, err := gomlxguard.Scaler(adam, guards.ScalerConfig{Start: s.scale})
		return s.fault.optimizer(adam), err
	}
	return s.fault.optimizer(gomlxguard.Watch(adam)), nil
}

func (t *trainer) evaluate(held train.Dataset) error {
	values, err := t.guard.Eval("val", gomlxguard.Dataset(held, t.inputs))
	for _, v := range values {
		fmt.Printf("%s %.4f\n", v.Name, v.Value)
	}
	return err
}
