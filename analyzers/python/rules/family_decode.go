package rules

// decodeRules are TV1xx: ids that become text.
func decodeRules() []Rule { return nil }
