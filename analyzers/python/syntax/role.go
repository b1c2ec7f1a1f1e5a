package syntax

// Role is what a node is to its parent, named after the field in CPython's ast
// that holds it there.
type Role uint8

// The roles.
const (
	NoRole Role = iota
	RoleBody
	RoleOrElse
	RoleFinal    // Try.finalbody
	RoleHandler  // Try.handlers
	RoleCase     // Match.cases
	RoleDecorate // decorator_list
	RoleTypeParam
	RoleParam   // of a function or a lambda
	RoleDefault // of a Param, of a type parameter
	RoleAnnotation
	RoleReturns
	RoleBase    // ClassDef.bases
	RoleKeyword // of a ClassDef or a Call
	RoleTarget  // of an assignment, a loop, a del, a walrus, a type alias
	RoleValue   // what is assigned, returned, awaited; the left of an Attribute; a value of a Dict
	RoleTest    // of if, while, assert, IfExp
	RoleMessage // Assert.msg
	RoleIter    // of a loop
	RoleItem    // With.items
	RoleContext // WithItem.context_expr
	RoleVars    // WithItem.optional_vars
	RoleSubject // Match.subject
	RolePattern // of a case, below a pattern
	RoleGuard   // MatchCase.guard
	RoleExc     // Raise.exc
	RoleCause   // Raise.cause; in Python 2 the value behind the class
	RoleType    // ExceptHandler.type
	RoleName    // an Alias of an import, an Ident
	RoleModule  // ImportFrom.module
	RoleFunc    // Call.func
	RoleArg     // Call.args
	RoleLeft    // of a BinOp, a Compare
	RoleRight   // of a BinOp; an operand of a Compare behind the first
	RoleOperand // of a UnaryOp, a BoolOp
	RoleKey     // of a Dict, a DictComp, a MatchMapping
	RoleElement // of a list, tuple, set, of their comprehensions
	RoleIf      // Comprehension.ifs
	RoleIterate // .generators of a comprehension
	RoleSlice   // Subscript.slice
	RoleLower   // of a Slice
	RoleUpper   // of a Slice
	RoleStep    // of a Slice
	RoleFormat  // a replacement field within a format spec
	RoleClass   // MatchClass.cls
	RoleKeywordPattern
	RoleBound // TypeVar.bound
)

var roleNames = [...]string{
	"", "body", "orelse", "finalbody", "handlers", "cases", "decorator_list", "type_params", "param",
	"default", "annotation", "returns", "bases", "keywords", "target", "value", "test", "msg", "iter",
	"items", "context_expr", "optional_vars", "subject", "pattern", "guard", "exc", "cause", "type",
	"names", "module", "func", "args", "left", "right", "operand", "key", "elt", "ifs", "generators",
	"slice", "lower", "upper", "step", "format_spec", "cls", "kwd_patterns", "bound",
}

// String gives the field's name in CPython's ast, in the singular where one
// role stands for fields of several names.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "?"
}
