package fp8

type LossScaler struct{ Scale float64 }

func (s *LossScaler) CheckGradients(grads [][]float32) bool { return false }

func (s *LossScaler) Update(hadOverflow bool) {}
