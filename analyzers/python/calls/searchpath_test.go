package calls

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSearchPath says where the helper of a file lies that adds folders to
// sys.path by itself.
func TestSearchPath(t *testing.T) {
	t.Parallel()
	const ask = "\nfrom helper import h\nh(x)"
	for name, c := range map[string]struct{ at, src, wants string }{
		"nothing":               {at: "app/run/use.py", src: "import sys", wants: ""},
		"beside it, by a text":  {at: "app/use.py", src: "import sys\nsys.path.append('../tools')", wants: "tools/helper.py:1"},
		"from the root":         {at: "app/use.py", src: "import sys\nsys.path.insert(0, './tools')", wants: "tools/helper.py:1"},
		"of the file":           {at: "app/use.py", src: "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), '..', 'tools'))", wants: "tools/helper.py:1"},
		"its folder's folder":   {at: "app/run/use.py", src: "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'tools'))", wants: "tools/helper.py:1"},
		"a name":                {at: "app/use.py", src: "import sys\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parent.parent\nsys.path.append(str(ROOT / 'tools'))", wants: "tools/helper.py:1"},
		"parents":               {at: "app/run/use.py", src: "import sys\nfrom pathlib import Path\nsys.path.append(str(Path(__file__).resolve().parents[2].joinpath('tools')))", wants: "tools/helper.py:1"},
		"a name bound twice":    {at: "app/use.py", src: "import sys\nd = 'tools'\nd = 'other'\nsys.path.append(d)", wants: ""},
		"of an argument":        {at: "app/use.py", src: "import sys\nsys.path.append(sys.argv[1])", wants: ""},
		"above the root":        {at: "app/use.py", src: "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), '../../tools'))", wants: ""},
		"absolute":              {at: "app/use.py", src: "import sys\nsys.path.append('/tools')", wants: ""},
		"another path":          {at: "app/use.py", src: "import os\nos.path.append('../tools')  # sys.path", wants: ""},
		"a cycle of names":      {at: "app/use.py", src: "import sys\na = b\nb = a\nsys.path.append(a)", wants: ""},
		"none is the first one": {at: "app/use.py", src: "import sys\nsys.path.append(None)\nsys.path.append('../tools')", wants: "tools/helper.py:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := filesOf(map[string]string{"tools/helper.py": "def h(): pass", c.at: c.src + ask})
			require.Equal(t, c.wants, where(callee(tree, c.at)))
		})
	}
}
