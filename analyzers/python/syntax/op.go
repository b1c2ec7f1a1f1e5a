package syntax

// Op is an operator, the type of a constant, or the kind of a parameter.
type Op uint8

// The operators, named as in CPython's ast.
const (
	NoOp Op = iota

	Add
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv

	And
	Or

	Invert
	Not
	UAdd
	USub

	Eq
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn

	// The types of a Constant.
	Int
	Float
	Imaginary
	Str
	Bytes
	True
	False
	NoneValue
	Ellipsis

	// The kinds of a Param.
	PositionalOnly
	Positional // or by keyword
	VarPositional
	KeywordOnly
	VarKeyword

	// A Keyword that unpacks a mapping: **x.
	Unpack

	ops
)

var opNames = [ops]string{
	"", "Add", "Sub", "Mult", "MatMult", "Div", "Mod", "Pow", "LShift", "RShift", "BitOr", "BitXor",
	"BitAnd", "FloorDiv", "And", "Or", "Invert", "Not", "UAdd", "USub", "Eq", "NotEq", "Lt", "LtE",
	"Gt", "GtE", "Is", "IsNot", "In", "NotIn", "int", "float", "complex", "str", "bytes", "True",
	"False", "None", "Ellipsis", "posonlyarg", "arg", "vararg", "kwonlyarg", "kwarg", "**",
}

// String gives the name in CPython's ast, of a constant its type.
func (o Op) String() string {
	if o < ops {
		return opNames[o]
	}
	return "?"
}

// Context says what is done to a name, an attribute, an item.
type Context uint8

// The contexts.
const (
	Load Context = iota
	Store
	Del
)
