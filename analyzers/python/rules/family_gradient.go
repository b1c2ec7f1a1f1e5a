package rules

// gradientRules are TV4xx: what becomes of gradients between a loss and a step.
func gradientRules() []Rule {
	return []Rule{tv401(), tv402(), tv403(), tv404(), tv405(), tv406(), tv407(), tv408(), tv409(), tv410(), tv411(), tv412(), tv413(), tv414(), tv415(), tv416()}
}
