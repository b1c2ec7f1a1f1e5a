package rules

// decodeRules are TV1xx: ids that become text. TV101 is the ledger's.
func decodeRules() []Rule {
	return []Rule{tv102(), tv103(), tv104(), tv105(), tv106(), tv107(), tv108(), tv109(), tv110(), tv111(), tv112()}
}
