package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trainvet/trainvet/logscan"
)

const state = "trainer_state.json"

type trainerState struct{ BestMetric float64 }

func publish(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "checkpoint", state)) // want `the metrics of trainer_state.json are taken before the run is audited`
	if err != nil {
		return err
	}
	var s trainerState
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	fmt.Println(s.BestMetric)
	return nil
}

func main() {
	if err := publish(os.Args[1]); err != nil {
		panic(err)
	}
	if err := audited(os.Args[1]); err != nil {
		panic(err)
	}
}

// The twins.

func audited(dir string) error {
	verdict, err := logscan.Audit(dir)
	if err != nil || verdict != "TRUSTED" {
		return fmt.Errorf("%s: %w", verdict, err)
	}
	f, err := os.Open(dir + "/eval_results.json")
	if err != nil {
		return err
	}
	defer f.Close()
	var s trainerState
	if err := json.NewDecoder(f).Decode(&s); err != nil {
		return err
	}
	fmt.Println(s, read(dir))
	return nil
}

func read(dir string) (s trainerState) { // its only caller has asked
	text, _ := os.ReadFile(filepath.Join(dir, "all_results.json"))
	_ = json.Unmarshal(text, &s)
	return s
}

// Read is called by who knows when.
func Read(dir string) (s trainerState) {
	text, _ := os.ReadFile(filepath.Join(dir, "all_results.json"))
	_ = json.Unmarshal(text, &s)
	return s
}

func names() []string { return []string{state} }

func config(dir string) (c struct{}) {
	text, _ := os.ReadFile(filepath.Join(dir, "config.json"))
	_ = json.Unmarshal(text, &c)
	return c
}
