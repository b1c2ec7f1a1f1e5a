package rules

// evaluationRules are TV5xx: what a metric is computed of.
func evaluationRules() []Rule {
	return []Rule{tv501(), tv502(), tv503(), tv504(), tv505(), tv506(), tv507(), tv508(), tv509(), tv510(), tv511(), tv512()}
}
