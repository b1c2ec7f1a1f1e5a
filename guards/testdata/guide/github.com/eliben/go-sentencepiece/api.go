package sentencepiece

type Processor struct{}

type ModelInfo struct{ VocabularySize int }

func (*Processor) ModelInfo() *ModelInfo { return nil }
