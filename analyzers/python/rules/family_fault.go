package rules

// faultRules are TV2xx: where a fault goes once it is raised.
func faultRules() []Rule {
	return []Rule{tv201(), tv202(), tv203(), tv204(), tv205(), tv206(), tv207(), tv208()}
}
