package rules

// evaluationRules are TV5xx: what a metric is computed of.
func evaluationRules() []Rule { return []Rule{tv503()} }
