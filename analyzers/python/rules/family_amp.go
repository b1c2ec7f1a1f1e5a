package rules

// ampRules are TV3xx: half precision, the gradient scaler and the step.
func ampRules() []Rule {
	return []Rule{tv302(), tv303(), tv304(), tv306(), tv307(), tv308(), tv309(), tv310(), tv311(), tv312(), tv313(), tv314(), tv315(), tv316(), tv318()}
}
