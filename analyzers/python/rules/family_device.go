package rules

// deviceRules are TV6xx: which device and precision a run is on.
func deviceRules() []Rule {
	return []Rule{tv601(), tv602(), tv603(), tv604(), tv605(), tv606(), tv607(), tv608(), tv609(), tv610(), tv611(), tv612()}
}
