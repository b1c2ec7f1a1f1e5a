package evidence

import "testing"

func TestApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"node1[4321]", "node1[5001]", true},
		{"node1[4321]", "[5001]", true},
		{"node1[4321]", "[4321]", false},
		{"node1[4321]", "node2[4321]", true},
		{"node1[4321]", "node1.cluster.local[4321]", false},
		{"node1[4321]", "node10[4321]", true},
		{"node1[]", "node1[4321]", false},
		{"10.0.0.1(2312)", "(2312)", false},
		{"(2312)", "(2313)", true},
		{"node1[4321]", "(5001)", false}, // another's numbers
		{"node1[4321]", "", false},
		{"", "", false},
	} {
		if got := Apart(c.a, c.b); got != c.want {
			t.Errorf("Apart(%q, %q) = %t", c.a, c.b, got)
		}
		if got := Apart(c.b, c.a); got != c.want {
			t.Errorf("Apart(%q, %q) = %t", c.b, c.a, got)
		}
	}
}
