package ledger

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trainvet/trainvet/analyzers/site"
)

// call is a call of a made-up tree. Its number is what the ladder must not
// know and must not get wrong.
type call struct {
	number                  int
	kind                    site.Kind
	path, fn, callee, shape string
}

// keys numbers equal calls as a front end does: in the order of the file.
func keys(calls []call) []Key {
	seen := map[group]int{}
	out := make([]Key, len(calls))
	for i, c := range calls {
		k := Key{c.kind, site.ID{Path: c.path, Func: c.fn, Callee: c.callee}, site.Shape(c.shape)}
		g := k.group()
		seen[g]++
		k.ID.Ordinal = seen[g]
		out[i] = k
	}
	return out
}

func rowsFor(calls []call) []Row {
	var out []Row
	for i, k := range keys(calls) {
		r := Row{Kind: k.Kind, ID: k.ID, Shape: k.Shape, State: site.Exempt, Reason: fmt.Sprintf("the reason of call number %d", calls[i].number)}
		if k.Kind == site.Handler {
			r.Rule = "TV201"
		}
		out = append(out, r)
	}
	return out
}

// wholeTree is a scan of everything.
func wholeTree(calls []call) tree {
	files := map[string]bool{}
	for _, c := range calls {
		files[c.path] = true
	}
	return tree{whole: true, present: func(f string) bool { return files[f] }}
}

// few values, so that equal calls are frequent.
func drawCall(t *rapid.T, number int) call {
	c := call{
		number: number,
		kind:   rapid.SampledFrom([]site.Kind{site.Decode, site.Step, site.Handler}).Draw(t, "kind"),
		path:   rapid.SampledFrom([]string{"a.go", "b.go", "c/d.go"}).Draw(t, "path"),
		fn:     rapid.SampledFrom([]string{"main", "T.Run"}).Draw(t, "fn"),
		callee: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "callee"),
		shape:  rapid.SampledFrom([]string{"00000001", "00000002", "00000003"}).Draw(t, "shape"),
	}
	c.callee = string(c.kind) + "." + c.callee // a call is of one kind, as in life
	return c
}

func drawCalls(t *rapid.T) []call {
	n := rapid.IntRange(0, 12).Draw(t, "n")
	out := make([]call, n)
	for i := range out {
		out[i] = drawCall(t, i)
	}
	return out
}

// held says for each call with an exemption that holds whose row it is: the
// rows are numbered as the calls that they were written for.
func held(p pairing) map[int]int {
	out := map[int]int{}
	for s, r := range p.rows {
		if r >= 0 && (p.how[s] == Same || p.how[s] == Moved) {
			out[s] = r
		}
	}
	return out
}

func TestUnchangedTreeKeepsEveryRow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		calls := drawCalls(t)
		p := match(keys(calls), rowsFor(calls), wholeTree(calls))
		for i := range calls {
			require.Equal(t, i, p.rows[i])
			require.Equal(t, Same, p.how[i])
		}
	})
}

// TestOrderSaysNothing holds that the ladder depends on the sets alone.
func TestOrderSaysNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawCalls(t), drawCalls(t)
		sites, rows := keys(after), rowsFor(before)
		outcome := func(sites []Key, rows []Row) map[Key]string {
			p := match(sites, rows, wholeTree(after))
			out := map[Key]string{}
			for i, k := range sites {
				out[k] = string(p.how[i])
				if r := p.rows[i]; r >= 0 {
					out[k] += " " + rows[r].String()
				}
			}
			return out
		}
		want := outcome(sites, rows)
		rnd := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		rnd.Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
		rnd.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		require.Equal(t, want, outcome(sites, rows))
	})
}

// TestPairsAgree holds what each step promises, on trees that have nothing to
// do with their rows.
func TestPairsAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawCalls(t), drawCalls(t)
		sites, rows := keys(after), rowsFor(before)
		p := match(sites, rows, wholeTree(after))
		used := map[int]bool{}
		for s, r := range p.rows {
			if r < 0 {
				require.Equal(t, New, p.how[s])
				continue
			}
			require.False(t, used[r], "a row has two sites")
			used[r] = true
			a, b := sites[s].group(), rows[r].Key().group()
			switch p.how[s] {
			case Same:
				require.Equal(t, b, a)
				require.Equal(t, rows[r].ID.Ordinal, sites[s].ID.Ordinal)
			case Ambiguous:
				require.Equal(t, b, a)
			case Moved:
				require.Equal(t, b.anywhere(), a.anywhere())
				require.Equal(t, 1, count(sites, a), "two candidates")
			case Reshaped:
				require.Equal(t, b.place(), a.place())
				require.NotEqual(t, b.shape, a.shape)
			default:
				t.Fatalf("%s with a row", p.how[s])
			}
		}
		for r := range rows {
			require.Equal(t, used[r], p.taken[r])
		}
	})
}

func count(sites []Key, g group) (n int) {
	for _, k := range sites {
		if k.group().anywhere() == g.anywhere() {
			n++
		}
	}
	return n
}

// TestNewSiteInheritsNothing: whatever is inserted, wherever, gets no
// exemption, and no exemption goes over to another old call.
func TestNewSiteInheritsNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := drawCalls(t)
		at := rapid.IntRange(0, len(before)).Draw(t, "at")
		after := slices.Insert(slices.Clone(before), at, drawCall(t, -1))
		p := match(keys(after), rowsFor(before), wholeTree(after))
		for s, r := range held(p) {
			require.Equal(t, before[r].number, after[s].number, "an exemption slid to another call")
		}
	})
}

// TestRemovalMovesNoExemption: what is taken out frees its row and no other
// call takes it, but for an equal one whose row says the same.
func TestRemovalMovesNoExemption(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := drawCalls(t)
		var after []call
		for _, c := range before {
			if rapid.Bool().Draw(t, "keep") {
				after = append(after, c)
			}
		}
		p := match(keys(after), rowsFor(before), wholeTree(after))
		for s, r := range held(p) {
			require.Equal(t, before[r].number, after[s].number)
		}
	})
}

// TestEditsMoveNoExemption mixes what people do: insert, delete, reshape, move
// a file. An exemption holds for its own call or for none, unless a call went
// and one that cannot be told from it came.
func TestEditsMoveNoExemption(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := drawCalls(t)
		after, gone, come := slices.Clone(before), map[group]bool{}, map[group]bool{}
		note := func(set map[group]bool, c call) { set[keys([]call{c})[0].group().anywhere()] = true }
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			kind := rapid.IntRange(0, 3).Draw(t, "edit")
			if len(after) == 0 {
				kind = 0
			}
			at := rapid.IntRange(0, max(len(after)-1, 0)).Draw(t, "at")
			switch kind {
			case 0:
				c := drawCall(t, -1)
				note(come, c)
				after = slices.Insert(after, at, c)
			case 1:
				note(gone, after[at])
				after = slices.Delete(after, at, at+1)
			case 2:
				note(gone, after[at])
				after[at].shape = rapid.SampledFrom([]string{"00000001", "00000004"}).Draw(t, "shape")
				note(come, after[at])
			case 3:
				from := after[at].path
				for i := range after {
					if after[i].path == from {
						note(gone, after[i]) // from its place
						after[i].path = "moved/" + from
					}
				}
			}
		}
		p := match(keys(after), rowsFor(before), wholeTree(after))
		for s, r := range held(p) {
			g := keys(after[s : s+1])[0].group().anywhere()
			if before[r].number != after[s].number {
				require.True(t, gone[g] && come[g], "row of call %d holds for call %d", before[r].number, after[s].number)
			}
		}
	})
}

func TestLadder(t *testing.T) {
	t.Parallel()
	decode := func(path, fn, shape string) call {
		return call{kind: site.Decode, path: path, fn: fn, callee: "decode", shape: shape}
	}
	handler := func(path, shape string) call {
		return call{kind: site.Handler, path: path, fn: "main", callee: "if(err)", shape: shape}
	}
	const s1, s2, s3 = "00000001", "00000002", "00000003"
	for _, tt := range []struct {
		name          string
		before, after []call
		want          []How
		torn          int
	}{
		{"another shape", []call{decode("a.go", "f", s1)}, []call{decode("a.go", "f", s2)}, []How{Reshaped}, 0},
		{"a new one beside", []call{decode("a.go", "f", s1)}, []call{decode("a.go", "f", s2), decode("a.go", "f", s1)}, []How{New, Same}, 0},
		// ollama's BytePairEncoding.Decode got a second vocab.Decode above the first.
		{"an equal one above", []call{decode("a.go", "f", s1)}, []call{decode("a.go", "f", s1), decode("a.go", "f", s1)}, []How{Ambiguous, New}, 0},
		{"two shapes changed", []call{decode("a.go", "f", s1), decode("a.go", "f", s2)}, []call{decode("a.go", "f", s3), decode("a.go", "f", "00000004")}, []How{New, New}, 2},
		{"one of two changed", []call{decode("a.go", "f", s1), decode("a.go", "f", s2)}, []call{decode("a.go", "f", s1), decode("a.go", "f", s3)}, []How{Same, Reshaped}, 0},
		{"moved", []call{decode("a.go", "f", s1)}, []call{decode("b.go", "f", s1)}, []How{Moved}, 0},
		{"moved, and a copy", []call{decode("a.go", "f", s1)}, []call{decode("b.go", "f", s1), decode("c.go", "f", s1)}, []How{New, New}, 0},
		{"two rows, one place", []call{decode("a.go", "f", s1), decode("b.go", "f", s1)}, []call{decode("c.go", "f", s1)}, []How{New}, 0},
		{"copied, then the old one edited", []call{decode("a.go", "f", s1)}, []call{decode("a.go", "f", s2), decode("b.go", "f", s1)}, []How{Reshaped, New}, 0},
		{"copied", []call{decode("a.go", "f", s1)}, []call{decode("a.go", "f", s1), decode("b.go", "f", s1)}, []How{Same, New}, 0},
		{"renamed function", []call{decode("a.go", "f", s1)}, []call{decode("a.go", "g", s1)}, []How{New}, 0},
		{"another kind", []call{decode("a.go", "f", s1)}, []call{{kind: site.Step, path: "a.go", fn: "f", callee: "decode", shape: s1}}, []How{New}, 0},
		{"handler in a file that was moved", []call{handler("a.go", s1)}, []call{handler("b.go", s1)}, []How{Moved}, 0},
		{"handler elsewhere, its file still there", []call{handler("a.go", s1)}, []call{handler("b.go", s1), decode("a.go", "f", s1)}, []How{New, New}, 0},
	} {
		p := match(keys(tt.after), rowsFor(tt.before), wholeTree(tt.after))
		require.Equal(t, tt.want, p.how, tt.name)
		torn := 0
		for _, is := range p.torn {
			if is {
				torn++
			}
		}
		require.Equal(t, tt.torn, torn, tt.name)
	}
}

// TestPartOfATreeProvesNoMove: the old place was not looked at.
func TestPartOfATreeProvesNoMove(t *testing.T) {
	t.Parallel()
	before := []call{{kind: site.Decode, path: "a.go", fn: "f", callee: "decode", shape: "00000001"}}
	after := []call{{kind: site.Decode, path: "b.go", fn: "f", callee: "decode", shape: "00000001"}}
	part := wholeTree(after)
	part.whole = false
	require.Equal(t, []How{New}, match(keys(after), rowsFor(before), part).how)
}

// TestEqualRowsThatSayTheSame: which of two equal exemptions went does not matter.
func TestEqualRowsThatSayTheSame(t *testing.T) {
	t.Parallel()
	two := []call{
		{kind: site.Decode, path: "a.go", fn: "f", callee: "decode", shape: "00000001"},
		{kind: site.Decode, path: "a.go", fn: "f", callee: "decode", shape: "00000001"},
	}
	rows := rowsFor(two)
	require.Equal(t, []How{Same}, match(keys(two[:1]), rows, wholeTree(two)).how)
	rows[1].Reason = "something else"
	require.Equal(t, []How{Ambiguous}, match(keys(two[:1]), rows, wholeTree(two)).how)
	rows[0].State, rows[1].State = site.Guarded, site.Unguarded
	require.Equal(t, []How{Same}, match(keys(two[:1]), rows, wholeTree(two)).how)
	only2 := rowsFor(two)[1:]
	require.Equal(t, []How{Ambiguous}, match(keys(two[:1]), only2, wholeTree(two)).how, "the row names the second call")
	require.Len(t, slices.Collect(maps.Keys(held(match(keys(two), rowsFor(two), wholeTree(two))))), 2)
}
