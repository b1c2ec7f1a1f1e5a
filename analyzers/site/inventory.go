package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// InventoryVersion is the version of sites.json.
const InventoryVersion = 1

// Inventory is sites.json: the ledger's sites with their present lines, for
// the Python runtime, which meets them as file, line and function of a caller.
type Inventory struct {
	Version int     `json:"version"`
	Root    string  `json:"root"`   // folder that the files start from
	Commit  string  `json:"commit"` // of the root; empty: none
	Dirty   bool    `json:"dirty"`  // the root is changed against the commit
	Sites   []Entry `json:"sites"`  // sorted by file, line, id
}

// Entry is one site of an inventory.
type Entry struct {
	ID       string `json:"id"`
	Kind     Kind   `json:"kind"`
	State    State  `json:"state"`
	Shape    Shape  `json:"shape"`
	File     string `json:"file"` // slash separated, from the root
	Line     int    `json:"line"`
	EndLine  int    `json:"end_line,omitempty"` // of a call over several lines: any of them may be the caller's
	Cell     int    `json:"cell,omitempty"`
	Function string `json:"function"` // qualified name
	Callee   string `json:"callee"`
}

// Encode writes sites.json: the same sites, the same bytes.
func (inv Inventory) Encode() ([]byte, error) {
	inv.Version = InventoryVersion
	inv.Sites = append([]Entry{}, inv.Sites...)
	slices.SortFunc(inv.Sites, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Shape, b.Shape))
	})
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(inv); err != nil {
		return nil, fmt.Errorf("encoding the inventory: %w", err)
	}
	return b.Bytes(), nil
}

// DecodeInventory reads sites.json and refuses what no analyzer writes.
func DecodeInventory(text []byte) (Inventory, error) {
	var inv Inventory
	if err := json.Unmarshal(text, &inv); err != nil {
		return inv, fmt.Errorf("reading the inventory: %w", err)
	}
	if inv.Version != InventoryVersion {
		return inv, fmt.Errorf("reading the inventory: version %d, only %d is known", inv.Version, InventoryVersion)
	}
	for i, e := range inv.Sites {
		if _, err := ParseID(e.ID); err != nil {
			return inv, fmt.Errorf("reading the inventory: site %d: %w", i+1, err)
		}
		if !e.State.Fits(e.Kind) || !e.Shape.Valid() || e.Line < 1 {
			return inv, fmt.Errorf("reading the inventory: site %d: kind %.40q, state %.40q, shape %.40q, line %d do not fit", i+1, e.Kind, e.State, e.Shape, e.Line)
		}
	}
	return inv, nil
}
