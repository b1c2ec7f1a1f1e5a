package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

func TestSelection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s          Selection
		code, file string
		want       bool
	}{
		"core is on":                   {Selection{}, "TV201", "a.py", true},
		"strict is off":                {Selection{}, "TV208", "a.py", false},
		"by language":                  {Selection{}, "TV208", "a.go", true},
		"tier":                         {Selection{Choice: Choice{Tier: site.Strict}}, "TV208", "a.py", true},
		"audit has strict":             {Selection{Choice: Choice{Tier: site.Audit}}, "TV208", "a.py", true},
		"select":                       {Selection{Choice: Choice{Select: []string{"TV2"}}}, "TV208", "a.py", true},
		"select alone":                 {Selection{Choice: Choice{Select: []string{"TV2"}}}, "TV101", "a.py", false},
		"extend":                       {Selection{Choice: Choice{Extend: []string{"TV208"}}}, "TV208", "a.py", true},
		"extend keeps":                 {Selection{Choice: Choice{Extend: []string{"TV208"}}}, "TV101", "a.py", true},
		"ignore":                       {Selection{Choice: Choice{Ignore: []string{"TV2"}}}, "TV201", "a.py", false},
		"the longer wins":              {Selection{Choice: Choice{Select: []string{"TV201"}, Ignore: []string{"TV2"}}}, "TV201", "a.py", true},
		"equal ones":                   {Selection{Choice: Choice{Select: []string{"TV201"}, Ignore: []string{"TV201"}}}, "TV201", "a.py", false},
		"ledger stays":                 {Selection{Choice: Choice{Select: []string{"TV2"}}}, "TV902", "trainvet.ledger", true},
		"ledger by name":               {Selection{Choice: Choice{Ignore: []string{"TV902"}}}, "TV902", "trainvet.ledger", false},
		"path":                         {Selection{Paths: []PathChoice{{Files: []string{"examples/**"}, Choice: Choice{Ignore: []string{"TV2"}}}}}, "TV201", "examples/a/b.py", false},
		"other path":                   {Selection{Paths: []PathChoice{{Files: []string{"examples/**"}, Choice: Choice{Ignore: []string{"TV2"}}}}}, "TV201", "src/b.py", true},
		"path by pattern":              {Selection{Paths: []PathChoice{{Files: []string{"*.py"}, Choice: Choice{Ignore: []string{"TV2"}}}}}, "TV201", "b.py", false},
		"path widens":                  {Selection{Paths: []PathChoice{{Files: []string{"core/"}, Choice: Choice{Tier: site.Strict}}}}, "TV208", "core/b.py", true},
		"last path":                    {Selection{Paths: []PathChoice{{Files: []string{"a/"}, Choice: Choice{Tier: site.Strict}}, {Files: []string{"a/b/"}, Choice: Choice{Tier: site.Core}}}}, "TV208", "a/b/c.py", false},
		"select of a path, no extends": {Selection{Choice: Choice{Select: []string{"TV3"}}, Paths: []PathChoice{{Files: []string{"a/"}, Choice: Choice{Select: []string{"TV2"}}}}}, "TV201", "a/c.py", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, c.s.On(c.code, c.file))
		})
	}
	s := Selection{Paths: []PathChoice{{Files: []string{"core/"}, Choice: Choice{Tier: site.Strict}}}}
	require.True(t, s.Anywhere("TV208", "py"))
	require.False(t, (&Selection{}).Anywhere("TV208", "py"))
}

func TestUnknownCodes(t *testing.T) {
	t.Parallel()
	require.NoError(t, (&Selection{Choice: Choice{Select: []string{"TV", "TV2", "TV201"}}}).Check())
	var unknown *UnknownError
	require.ErrorAs(t, (&Selection{Choice: Choice{Ignore: []string{"TV21O"}}}).Check(), &unknown)
	require.Equal(t, "TV210", unknown.Near)
	require.Error(t, (&Selection{Paths: []PathChoice{{Choice: Choice{Extend: []string{""}}}}}).Check())
}
