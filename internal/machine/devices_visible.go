package machine

import (
	"strconv"
	"strings"
)

// visible applies a variable such as CUDA_VISIBLE_DEVICES as frameworks read
// it: numbers as C reads them ("1gpu2" is 1), up to the first that is no device;
// uuids, or beginnings of them, in a list of uuids only; a device that is named
// twice makes the list empty. It returns the places in ids, in their order.
func visible(list string, ids []string) (order []int, note string) {
	seen := map[int]bool{}
	asID := false
	for n, word := range strings.Split(list, ",") {
		word = strings.TrimSpace(word)
		id := isID(word)
		if n == 0 {
			asID = id
		}
		if id != asID {
			break // a mixed list ends where it changes
		}
		i := ordinal(word)
		if id {
			i = byPrefix(word, ids)
		}
		if i < 0 || i >= len(ids) {
			break
		}
		if seen[i] {
			return nil, "it names a device twice, which makes all invisible"
		}
		seen[i] = true
		order = append(order, i)
	}
	return order, ""
}

func isID(word string) bool {
	return strings.HasPrefix(word, "GPU-") || strings.HasPrefix(word, "MIG-")
}

// ordinal reads the leading number; -1: there is none, or it is negative.
func ordinal(word string) int {
	end := 0
	word = strings.TrimPrefix(word, "+")
	for end < len(word) && '0' <= word[end] && word[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(word[:end])
	if err != nil {
		return -1
	}
	return n
}

// byPrefix finds the only id that begins so.
func byPrefix(word string, ids []string) int {
	found := -1
	for i, id := range ids {
		if strings.HasPrefix(strings.ToLower(id), strings.ToLower(word)) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// narrow hides the devices that a variable leaves out, and numbers the others.
func (s *System) narrow(devices []Device, variable string) (out []Device, notes []string) {
	list, set := s.Env(variable)
	if !set {
		return devices, nil
	}
	var shown []Device
	var ids []string
	for _, d := range devices {
		if d.Hidden == "" {
			shown = append(shown, d)
			ids = append(ids, d.ID)
		}
	}
	order, note := visible(list, ids)
	if note != "" {
		notes = append(notes, variable+"="+list+": "+note)
	}
	kept := map[int]bool{}
	for n, i := range order {
		d := shown[i]
		d.Index = n
		kept[i] = true
		out = append(out, d)
	}
	for i, d := range shown {
		if !kept[i] {
			d.Index, d.Hidden = -1, variable+"="+list+" leaves it out"
			out = append(out, d)
		}
	}
	for _, d := range devices {
		if d.Hidden != "" {
			out = append(out, d)
		}
	}
	return out, notes
}
