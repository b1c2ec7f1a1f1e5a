package model

type Scope struct{}

func (s *Scope) SetParam(key string, value any) *Scope { return s }

func (s *Scope) SetParams(params map[string]any) *Scope { return s }
