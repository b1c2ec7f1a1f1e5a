package train

type (
	Trainer struct{}
	Loop    struct{}
	Batch   struct{}
	Dataset interface{}
)

func (t *Trainer) TrainStep(b Batch) ([]float32, error) { return nil, nil }

func (l *Loop) RunSteps(ds Dataset, steps int) ([]float32, error) { return nil, nil }
