package syntax

// Kind of a node, named as the class in CPython's ast.
type Kind uint8

// The kinds. Those under "ours" have no class of their own in ast.
const (
	None Kind = iota // of the zero Node

	// Statements, from Module to Invalid.
	Module
	FunctionDef
	AsyncFunctionDef
	ClassDef
	Return
	Delete
	Assign
	AugAssign
	AnnAssign
	TypeAlias
	For
	AsyncFor
	While
	If
	With
	AsyncWith
	Match
	Raise
	Try
	TryStar
	Assert
	Import
	ImportFrom
	Global
	Nonlocal
	ExprStmt // ast.Expr
	Pass
	Break
	Continue
	Print   // ours: the statement of Python 2
	Exec    // ours: the statement of Python 2
	Invalid // ours: a statement or clause that was dropped; its block, if any, is its body

	// Expressions, from BoolOp to Slice.
	BoolOp
	NamedExpr
	BinOp
	UnaryOp
	Lambda
	IfExp
	Dict
	Set
	ListComp
	SetComp
	DictComp
	GeneratorExp
	Await
	Yield
	YieldFrom
	Compare
	Call
	JoinedStr
	TemplateStr
	FormattedValue // of a JoinedStr
	Interpolation  // of a TemplateStr
	Constant       // Op says of which type
	Attribute
	Subscript
	Starred
	Name
	List
	Tuple
	Slice
	Repr // ours: `x` of Python 2

	// Parts.
	Comprehension
	ExceptHandler
	Param // ast.arg with its default
	Keyword
	Alias
	WithItem
	MatchCase
	Ident // ours: a name that is no expression: of global, nonlocal; the module of an import
	TypeVar
	ParamSpec
	TypeVarTuple

	// Patterns.
	MatchValue
	MatchSingleton
	MatchSequence
	MatchMapping
	MatchClass
	MatchStar
	MatchAs
	MatchOr

	kinds
)

// kindNames are the names in CPython's ast.
var kindNames = [kinds]string{
	"None",
	"Module", "FunctionDef", "AsyncFunctionDef", "ClassDef", "Return", "Delete", "Assign", "AugAssign",
	"AnnAssign", "TypeAlias", "For", "AsyncFor", "While", "If", "With", "AsyncWith", "Match", "Raise",
	"Try", "TryStar", "Assert", "Import", "ImportFrom", "Global", "Nonlocal", "Expr", "Pass", "Break",
	"Continue", "Print", "Exec", "Invalid",
	"BoolOp", "NamedExpr", "BinOp", "UnaryOp", "Lambda", "IfExp", "Dict", "Set", "ListComp", "SetComp",
	"DictComp", "GeneratorExp", "Await", "Yield", "YieldFrom", "Compare", "Call", "JoinedStr",
	"TemplateStr", "FormattedValue", "Interpolation", "Constant", "Attribute", "Subscript", "Starred",
	"Name", "List", "Tuple", "Slice", "Repr",
	"comprehension", "ExceptHandler", "arg", "keyword", "alias", "withitem", "match_case", "Ident",
	"TypeVar", "ParamSpec", "TypeVarTuple",
	"MatchValue", "MatchSingleton", "MatchSequence", "MatchMapping", "MatchClass", "MatchStar", "MatchAs",
	"MatchOr",
}

// String gives the name of the class in CPython's ast.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "?"
}

// IsStatement reports whether nodes of this kind stand in a body.
func (k Kind) IsStatement() bool { return k > Module && k <= Invalid }

// IsExpression reports whether nodes of this kind have a value.
func (k Kind) IsExpression() bool { return k >= BoolOp && k <= Repr }

// IsFunction reports whether nodes of this kind are a function with a name.
func (k Kind) IsFunction() bool { return k == FunctionDef || k == AsyncFunctionDef }
