package rules

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Profile is the frameworks that a file uses: they step, scale, clip and move
// in its place.
type Profile uint16

// The frameworks.
const (
	Accelerate Profile = 1 << iota // prepared optimizers call the scaler themselves
	Lightning                      // its loop, unless it optimizes by hand
	Fabric
	DeepSpeed
	Transformers // a Trainer of it
	Apex
	Fairseq
	SpeechBrain
	Engine // another one whose engine steps: ColossalAI, Megatron, Composer, Ignite, MS-AMP
)

//go:embed profiles.tsv
var profileRows string

// signs are what tells that a file uses a framework.
type signs struct{ modules, bases, texts map[string]Profile }

var profileSigns = sync.OnceValue(func() signs {
	s, err := readSigns(profileRows)
	if err != nil {
		panic(err) // embedded, and read by a test
	}
	return s
})

func readSigns(rows string) (signs, error) {
	named := map[string]Profile{
		"accelerate": Accelerate, "lightning": Lightning, "fabric": Fabric, "deepspeed": DeepSpeed, "transformers": Transformers,
		"apex": Apex, "fairseq": Fairseq, "speechbrain": SpeechBrain, "engine": Engine,
	}
	s := signs{map[string]Profile{}, map[string]Profile{}, map[string]Profile{}}
	for i, line := range strings.Split(rows, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 || named[cells[0]] == 0 {
			return s, fmt.Errorf("profiles.tsv:%d: framework, kind and names are expected", i+1)
		}
		to := map[string]map[string]Profile{"module": s.modules, "base": s.bases, "text": s.texts}[cells[1]]
		if to == nil {
			return s, fmt.Errorf("profiles.tsv:%d: the kind %q is none of module, base, text", i+1, cells[1])
		}
		for _, name := range strings.Split(cells[2], ",") {
			to[name] |= named[cells[0]]
		}
	}
	return s, nil
}

// words are the texts that tell of a framework, looked for with those of rules.
func (s *signs) words() []string { return slices.Sorted(maps.Keys(s.texts)) }

// Uses reports whether the file uses one of these frameworks: it imports it, or
// a class or a name of its tells.
func (f *File) Uses(p Profile) bool {
	if !f.known {
		f.known, f.profile = true, f.frameworks()
	}
	return f.profile&p != 0
}

func (f *File) frameworks() Profile {
	s := profileSigns()
	var p Profile
	module := func(name []byte) {
		for end := len(name); end > 0; end = strings.LastIndexByte(string(name[:end]), '.') {
			p |= s.modules[string(name[:end])]
		}
	}
	for n := range f.All(syntax.Import) {
		for a := range f.ChildrenOf(n, syntax.RoleName) {
			module(f.Name(a))
		}
	}
	for n := range f.All(syntax.ImportFrom) {
		from := f.Name(f.Child(n, syntax.RoleModule))
		for a := range f.ChildrenOf(n, syntax.RoleName) {
			module(append(append(append([]byte{}, from...), '.'), f.Name(a)...))
		}
	}
	for n := range f.All(syntax.ClassDef) {
		for b := range f.ChildrenOf(n, syntax.RoleBase) {
			p |= s.bases[f.Last(b)]
		}
	}
	for t, of := range s.texts {
		if p&of != of && f.Says(t) {
			p |= of
		}
	}
	return p
}
