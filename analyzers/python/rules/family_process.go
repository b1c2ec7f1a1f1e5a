package rules

// processRules are TV7xx: data, processes and what is measured.
func processRules() []Rule {
	return []Rule{
		tv701(), tv702(), tv703(), tv704(), tv705(), tv706(), tv707(), tv708(), tv710(),
		tv711(), tv712(), tv713(), tv714(), tv715(), tv716(),
	}
}
