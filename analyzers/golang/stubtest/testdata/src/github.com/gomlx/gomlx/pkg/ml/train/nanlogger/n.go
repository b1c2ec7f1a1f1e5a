package nanlogger

type NanLogger struct{}

func New() *NanLogger { return nil }

func (n *NanLogger) AttachToTrainer(t any) {}
