package tolerant

import "fmt"

// SyntaxError says where the input stops being JSON.
type SyntaxError struct {
	Offset int64
	Line   int64
	What   string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("json: line %d, offset %d: %s", e.Line, e.Offset, e.What)
}

// TruncatedError says that the input ends inside a value.
type TruncatedError struct {
	Offset int64 // size of the input
	Line   int64
	Inside string // what was open: object, array, string, number, literal
}

func (e *TruncatedError) Error() string {
	return fmt.Sprintf("json: line %d, offset %d: input ends inside %s", e.Line, e.Offset, e.Inside)
}

// LimitError says that the input is larger than the reader was told to accept.
type LimitError struct {
	Offset int64
	Line   int64
	Limit  string // depth, token, keys, values
	Max    int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("json: line %d, offset %d: more than %d (limit of %s)", e.Line, e.Offset, e.Max, e.Limit)
}
