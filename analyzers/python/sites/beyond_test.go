package sites

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/calls"
)

// findIn finds the sites of use.py in a tree.
func findIn(files map[string]string) (*calls.File, *Result) {
	tree := calls.NewTree(calls.Source{
		Has: func(name string) (bool, bool) {
			_, ok := files[name]
			dir := false
			for f := range files {
				dir = dir || strings.HasPrefix(f, name+"/")
			}
			return ok, dir
		},
		Read: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		},
	})
	f := NewFinder()
	f.Across = tree
	file := tree.File("use.py")
	return file, f.FindFile(file)
}

// TestOtherFiles says what the last call of use.py is, by what other files
// define: kind, class and origin; a doubt; or nothing.
func TestOtherFiles(t *testing.T) {
	t.Parallel()
	more := map[string]string{
		"lib/make.py": `from transformers import AutoTokenizer, AutoencoderKL
from torch import optim
from .own import Reader, Codec
from .steps import Lookahead

thing = AutoTokenizer.from_pretrained("a")
box = AutoencoderKL.from_pretrained("a")

def build(name):
    t = AutoTokenizer.from_pretrained(name)
    return t

def picture():
    return AutoencoderKL.from_pretrained("a")

def either(a):
    if a:
        return build(a)
    return None

def optims(model):
    return optim.AdamW(model.parameters())

def answer(model, x):
    out = model.generate(x)
    return out

def rows(x):
    labels = best(x)
    return labels

class Base:
    def __init__(self, model):
        self.reader = Reader()
        self.thing = build("a")
        self.opts = optims(model)
        self.amp = GradScaler()
`,
		"lib/__init__.py": "from .make import *\n",
		"lib/own.py": `class Words(Plain):
    def decode(self, x): pass
    def convert_ids_to_tokens(self, x): pass
class Reader(Words): pass
class Codec(SoundCodec): pass
class Tree:
    def decode(self, x): pass
class Net(nn.Module):
    def decode(self, x): pass
    def run(self, x):
        self.decode_batch(x)
`,
		"lib/chat.py": `class Data:
    def sequence2str(self, seq):
        return " ".join(self.id2word[i] for i in seq)
    def tensor_to_text(self, t):
        return str(t[0])
class Talk:
    def __init__(self):
        self.data = Data()
def decode_sentence(x):
    return "".join(reverse_target_char_index[i] for i in x)
def label_to_string(x):
    return str(x)
`,
		"lib/steps.py": "from torch.optim import Optimizer\nclass Lookahead(Optimizer): pass\nclass Slow(Lookahead): pass\nclass Timer: pass\n",
	}
	for src, want := range map[string]string{
		"from lib import build\na = build(1)\na.decode(x)":        "decode token unknown",
		"import lib.make\na = lib.make.build(1)\na.decode(x)":     "decode token unknown",
		"from lib import either as e\na = e(1)\na.decode(x)":      "decode token unknown",
		"from lib import picture\na = picture()\na.decode(x)":     "",
		"from lib import picture\nenc = picture()\nenc.decode(x)": "",
		"from lib import thing\nthing.decode(x)":                  "decode token unknown",
		"from lib.make import box as b\nb.decode(x)":              "",
		"from lib.own import Reader\na = Reader()\na.decode(x)":   "decode token unknown",
		"from lib.own import Codec\na = Codec()\na.decode(x)":     "",
		"from lib.own import Net\na = Net()\na.decode(ids)":       "",
		"from lib.own import Net\na = Net()\na.decode_text(x)":    "",
		"from lib.own import Net\na = Net()\na.decode_text(ids)":  "decode token unknown",
		"a.decode_text(ids)": "decode token unknown",
		"a.decode_text(row)": "doubt",
		"a.id_to_token(5)":   "decode token constant",
		"from lib.own import Tree\na = Tree()\na.decode(x)":                                                      "doubt",
		"from lib import Base\nclass T(Base):\n  def f(self, x):\n    self.reader.decode(x)":                     "decode token unknown",
		"from lib import Base\nclass T(Base):\n  def f(self, x):\n    self.thing.decode(x)":                      "decode token unknown",
		"from lib.own import Reader\nclass T(Reader):\n  def f(self, x):\n    self.decode(x)":                    "decode token unknown",
		"from elsewhere import build\na = build(1)\na.decode(x)":                                                 "doubt",
		"from lib import answer, build\na = build(1)\nres = answer(m, x)\na.decode(res)":                         "decode token generated",
		"from lib import rows, build\na = build(1)\nres = rows(x)\na.decode(res)":                                "decode token unknown",
		"from lib import optims\na = optims(m)\na.step()":                                                        "step optimizer ",
		"from lib import Base\nclass T(Base):\n  def f(self):\n    self.opts.step()":                             "step optimizer ",
		"from lib import Base\nclass T(Base):\n  def f(self):\n    self.amp.step(self.opts)":                     "step scaler-step ",
		"from lib import Base\nclass T(Base):\n  def f(self):\n    self.amps.step(self.opts)":                    "doubt",
		"from lib.steps import Slow\na = Slow(m)\na.step()":                                                      "step optimizer ",
		"from lib.steps import Timer\na = Timer()\na.step()":                                                     "doubt",
		"from use import a\na.decode(x)":                                                                         "doubt",
		"import mlx.optimizers as o\noptimizer.update(model, grads)":                                             "step framework ",
		"import dynet as dy\noptimizer.update()":                                                                 "step framework ",
		"import mlx.optimizers as o\nx = optimizer.update(model, grads)":                                         "",
		"import mlx.optimizers as o\noptions.update(model)":                                                      "",
		"manager.apply_updates(a, b)":                                                                            "",
		"from lib.chat import Talk\nclass T(Talk):\n  def f(self, x):\n    self.data.sequence2str(x)":            "decode token unknown",
		"from lib.chat import Talk\nclass T(Talk):\n  def f(self, x):\n    self.data.sequence2name(x)":           "",
		"from lib.chat import Talk\nclass T(Talk):\n  def f(self, x):\n    self.data.tensor_to_text(x)":          "",
		"from lib.chat import lines\nlines.decode_sentence(x)":                                                   "",
		"from lib import chat\nchat.decode_sentence(x)":                                                          "decode token unknown",
		"from lib import chat\nchat.label_to_string(x)":                                                          "",
		"def f():\n  return f()\na = f()\na.decode(x)":                                                           "doubt",
		"def f():\n  return AutoTokenizer.from_pretrained('a')\na = f()\na.decode(x)":                            "decode token unknown",
		"import lib\nclass T(lib.Base):\n  def f(self, x):\n    y = self.go(x)\n  def go(self, x): pass\nx.q(1)": "",
	} {
		files := map[string]string{"use.py": src}
		for name, text := range more {
			files[name] = text
		}
		_, res := findIn(files)
		got := ""
		for _, s := range res.Sites {
			got = fmt.Sprintf("%s %s %s", s.Kind, s.Class, s.Origin)
		}
		for range res.Doubts {
			got = "doubt"
		}
		require.Equal(t, want, got, src)
	}
}
