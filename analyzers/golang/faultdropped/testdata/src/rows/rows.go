// Package rows has a ledger: the row of a handler exempts it, as long as its
// shape stays.
package rows

import (
	"log"

	"github.com/trainvet/trainvet/guards"
)

func warmUp(ids []int32) {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		log.Print(err)
	}
}

func changed(ids []int32) {
	if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `does not get past here`
		log.Print(err)
	}
}
