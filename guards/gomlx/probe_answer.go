package gomlxguard

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// envAll asks a trainer for its whole probe; its value is how long a candidate
// may take.
const envAll = "TRAINVET_PROBE"

// said is a line of the answer. `trainvet probe go` knows the results by their
// keys, and passes over what else a trainer prints.
type said struct {
	Planned []string `json:"planned,omitempty"`
	Begin   string   `json:"begin,omitempty"`
	Result  string   `json:"result,omitempty"`
	Status  string   `json:"status,omitempty"`
	Text    string   `json:"text,omitempty"`
	Seconds float64  `json:"seconds,omitempty"`
	Done    bool     `json:"done,omitempty"`
}

func (s said) print() {
	text, _ := json.Marshal(s) // strings and numbers alone
	fmt.Printf("\n%s\n", text)
}

// answer goes through the candidates and says of each, on standard output, what
// came out.
func (p *Probe) answer(within string) {
	q := *p
	if d, err := time.ParseDuration(within); err == nil && d > 0 && q.Timeout == 0 {
		q.Timeout = d
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "probing:", err)
		return
	}
	all := said{}
	for _, c := range q.Candidates {
		all.Planned = append(all.Planned, c.Name)
	}
	all.print()
	for _, c := range q.Candidates {
		said{Begin: c.Name}.print()
		begin := time.Now()
		r, err := q.start(context.Background(), self, c.Name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "probing %s: %v\n", c.Name, err)
			return
		}
		said{Result: r.Name, Status: r.Status, Text: r.Text, Seconds: time.Since(begin).Seconds()}.print()
	}
	said{Done: true}.print()
}
