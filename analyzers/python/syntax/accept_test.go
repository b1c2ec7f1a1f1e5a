package syntax

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/accept.py
var acceptScript string

// oracle is what CPython says of sources.
type oracle struct {
	version int
	says    []string // "ok", or "bad" and why
}

// ask lets CPython parse sources, all in one process.
func ask(t *testing.T, interpreter string, sources [][]byte) oracle {
	t.Helper()
	var in bytes.Buffer
	for _, s := range sources {
		var size [4]byte
		binary.BigEndian.PutUint32(size[:], uint32(len(s)))
		in.Write(size[:])
		in.Write(s)
	}
	cmd := exec.Command(interpreter, "-I", "-c", acceptScript)
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	scan := bufio.NewScanner(bytes.NewReader(out))
	scan.Buffer(nil, 1<<20)
	var o oracle
	for scan.Scan() {
		var major, minor int
		if n, _ := fmt.Sscanf(scan.Text(), "=version %d %d", &major, &minor); n == 2 {
			o.version = major*100 + minor
			continue
		}
		o.says = append(o.says, scan.Text())
	}
	require.Len(t, o.says, len(sources))
	return o
}

// compareVerdicts holds ours against CPython's, but for what is named.
func compareVerdicts(t *testing.T, interpreter string, sources [][]byte) {
	t.Helper()
	o := ask(t, interpreter, sources)
	if o.version < 309 {
		t.Skipf("not compared with the parser before Python 3.9: it refused what all later ones take")
	}
	var p Parser
	var taken [][]byte
	both, named, wrong := [2]int{}, map[string]int{}, 0
	for i, src := range sources {
		f := p.Parse(src)
		theirs := o.says[i] == "ok"
		if theirs == f.Valid() {
			if theirs {
				both[0]++
				taken = append(taken, src)
			} else {
				both[1]++
			}
			continue
		}
		if why := knownDifference(f, o.says[i], o.version); why != "" {
			named[why]++
			continue
		}
		if wrong++; wrong > 25 {
			continue
		}
		ours := "takes it"
		if !f.Valid() {
			ours = f.Errors[0].Error()
		}
		t.Errorf("ours: %s; CPython: %s\n%s", ours, o.says[i], clip(src))
	}
	compareTrees(t, interpreter, taken)
	t.Logf("%d sources: %d taken by both, %d refused by both, %d differ without a name, named: %v", len(sources), both[0], both[1], wrong, named)
}

// compareTrees holds the trees of what both sides take.
func compareTrees(t *testing.T, interpreter string, sources [][]byte) {
	t.Helper()
	const enough = 5000 // drawn evenly
	step := len(sources)/enough + 1
	dir := t.TempDir()
	var files []string
	for i := 0; i < len(sources); i += step {
		name := filepath.Join(dir, fmt.Sprintf("%d.py", i))
		require.NoError(t, os.WriteFile(name, sources[i], 0o644))
		files = append(files, name)
	}
	c := comparison{t: t}
	c.run(interpreter, files)
	t.Logf("%d trees, %d nodes", c.files, c.nodes)
}

func clip(src []byte) []byte {
	if len(src) > 600 {
		return append(src[:600:600], "..."...)
	}
	return src
}

// TestTestsOfCPython compares over every string in CPython's own tests: those
// of its grammar are full of code, good and bad.
func TestTestsOfCPython(t *testing.T) {
	for _, interpreter := range pythons(t) {
		files := pythonFiles(t, []string{filepath.Join(libraries(t, interpreter)[0], "test")})
		seen := map[string]bool{}
		var sources [][]byte
		var p Parser
		for _, name := range files {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			f := p.Parse(src)
			for n := range f.Preorder(f.Root()) {
				v, ok := f.StringValue(n)
				if !ok || len(v) < 3 || len(v) > 1<<16 {
					continue
				}
				for _, s := range snippets(v) {
					if !seen[s] {
						seen[s] = true
						sources = append(sources, []byte(s))
					}
				}
			}
		}
		require.NotEmpty(t, sources)
		compareVerdicts(t, interpreter, sources)
	}
}

// snippets are the examples of a doctest, or the text itself, also without its
// common indentation.
func snippets(v []byte) []string {
	if bytes.Contains(v, []byte(">>> ")) {
		return doctest(string(v))
	}
	all := []string{string(v)}
	if d := dedent(string(v)); d != all[0] {
		all = append(all, d)
	}
	return all
}

func doctest(text string) (all []string) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			all = append(all, b.String())
			b.Reset()
		}
	}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " ")
		if code, ok := strings.CutPrefix(trimmed, ">>> "); ok {
			flush()
			b.WriteString(code)
		} else if code, ok := strings.CutPrefix(trimmed, "... "); ok && b.Len() > 0 {
			b.WriteString(code)
		} else {
			flush()
		}
	}
	flush()
	return all
}

func dedent(text string) string {
	least := -1
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " ")
		if strings.TrimSpace(body) != "" && (least < 0 || len(line)-len(body) < least) {
			least = len(line) - len(body)
		}
	}
	if least <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(line[min(least, len(line)-len(strings.TrimLeft(line, " "))):])
	}
	return b.String()
}

// TestMutatedFiles deletes and inserts tokens of real statements.
func TestMutatedFiles(t *testing.T) {
	for _, interpreter := range pythons(t) {
		files := pythonFiles(t, libraries(t, interpreter))
		count, seed := 20000, 2
		if few() {
			count = 2000
		}
		if s := os.Getenv("TRAINVET_MUTATIONS"); s != "" {
			_, err := fmt.Sscan(s, &count, &seed)
			require.NoError(t, err, "TRAINVET_MUTATIONS: a count and a seed")
		}
		r := rand.New(rand.NewPCG(4, uint64(seed)))
		pool := statementsOf(t, r, files, 400)
		require.NotEmpty(t, pool)
		sources := make([][]byte, count)
		for i := range sources {
			sources[i] = mutate(r, pool[r.IntN(len(pool))])
		}
		compareVerdicts(t, interpreter, sources)
	}
}

// statementsOf draws whole statements at random.
func statementsOf(t *testing.T, r *rand.Rand, files []string, perRun int) [][]byte {
	t.Helper()
	var pool [][]byte
	var p Parser
	for range perRun {
		src, err := os.ReadFile(files[r.IntN(len(files))])
		require.NoError(t, err)
		f := p.Parse(src)
		for n := range f.Children(f.Root()) {
			if s := f.Source(n); len(s) > 10 && len(s) < 1500 && r.IntN(4) == 0 {
				pool = append(pool, append([]byte{}, s...))
			}
		}
	}
	return pool
}

var inserted = strings.Fields(`( ) [ ] { } , : . ; = -> := ... + - * ** / // % @ & | ^ ~ == != < > <= += and or not in is if
	else for async await lambda yield from as None True assert break class continue def del elif except finally global import
	nonlocal pass raise return try while with match case type print _ x 1 0x1f 1.5 2j 'a' b'a' f'{x}' f'{x!r:>{w}}' \ ` +
	"`" + ` ? $ ! 07 1_0 1__0 <>`)

// mutate deletes, inserts or swaps tokens, at times bytes.
func mutate(r *rand.Rand, src []byte) []byte {
	if r.IntN(4) == 0 {
		return mutateBytes(r, src)
	}
	tokens := roughTokens(src)
	for range 1 + r.IntN(2) {
		i := r.IntN(len(tokens))
		switch r.IntN(5) {
		case 0, 1:
			tokens[i] = ""
		case 2, 3:
			tokens[i] = " " + inserted[r.IntN(len(inserted))] + " " + tokens[i]
		default:
			j := r.IntN(len(tokens))
			tokens[i], tokens[j] = tokens[j], tokens[i]
		}
	}
	return []byte(strings.Join(tokens, "") + "\n")
}

const insertedBytes = "()[]{}'\"\\\n\r\t \f#:,.=f0_!\x00\xc3\xa9"

func mutateBytes(r *rand.Rand, src []byte) []byte {
	out := append([]byte{}, src...)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(out))
		if r.IntN(2) == 0 {
			out = append(out[:i], out[i+1:]...)
		} else {
			out = slices.Insert(out, i, insertedBytes[r.IntN(len(insertedBytes))])
		}
	}
	return append(out, '\n')
}

// roughTokens cuts between words, blanks and single bytes of punctuation.
func roughTokens(src []byte) (out []string) {
	for i := 0; i < len(src); {
		j := i + 1
		for j < len(src) && class[src[i]]&isIdent != 0 && class[src[j]]&isIdent != 0 {
			j++
		}
		out = append(out, string(src[i:j]))
		i = j
	}
	return out
}

// knownDifference names the reason why one side alone takes a source; empty:
// there is none.
func knownDifference(f *File, says string, version int) string {
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(says, p) })
	}
	switch {
	case has("unknown Unicode character name"):
		return "names of characters are not looked up"
	case !f.Valid() && f.Errors[0].Code == Encoding && strings.HasPrefix(f.Errors[0].Text, "unknown encoding"):
		return "encodings of several bytes are not known"
	case len(f.Errors) == 1 && f.Errors[0].Code == Encoding && strings.HasSuffix(f.Errors[0].Text, "is no utf-8"):
		return "CPython reads bytes in comments of compile(), of a file it refuses them"
	case version < 312 && has("f-string", "unterminated string") && f.Valid():
		return "Python 3.12: any expression in an f-string"
	case newest(f) > version:
		return "grammar of a newer Python"
	case has("You found it!"):
		return "an easter egg of Python 3.9"
	case version != 313 && has("f-string: newlines are not allowed in format specifiers"), version < 313 && has("unterminated f-string"):
		return "Python 3.13: a line end in a format spec"
	}
	return ""
}

// newest is the version that brought the newest grammar in a file.
func newest(f *File) int {
	version := 0
	for n := range f.Preorder(f.Root()) {
		switch f.Kind(n) {
		case TypeAlias, TypeVar, TypeVarTuple, ParamSpec:
			version = max(version, 312)
		case ExceptHandler:
			if types := f.Child(n, RoleType); f.Kind(types) == Tuple && f.Source(types)[0] != '(' {
				version = max(version, 314)
			}
		case TryStar:
			version = max(version, 311)
		case Match:
			version = max(version, 310)
		case Starred:
			if up := f.Parent(n); f.Role(up) == RoleSlice || f.Role(n) == RoleAnnotation {
				version = max(version, 311)
			}
		}
	}
	return version
}
