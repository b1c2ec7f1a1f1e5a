package rules

import (
	"bytes"

	"github.com/trainvet/trainvet/analyzers/python/words"
)

var (
	loopWords   = [][]byte{[]byte("loader"), []byte("batches"), []byte("_dl"), []byte("dl)"), []byte("dl:"), []byte("_iter"), []byte("data"), []byte("_set"), []byte("set:"), []byte("set)")}
	judgeWords  = [][]byte{[]byte("val"), []byte("test"), []byte("eval"), []byte("dev"), []byte("predict"), []byte("Val"), []byte("Test"), []byte("Eval")}
	metricWords = [][]byte{[]byte("loss"), []byte("acc"), []byte("metric"), []byte("result"), []byte("score"), []byte("f1"), []byte("iou"), []byte("bleu"), []byte("rouge"),
		[]byte("wer"), []byte("cer"), []byte("precision"), []byte("recall"), []byte("top1"), []byte("top5"), []byte("ppl"), []byte("perplex"), []byte("psnr"), []byte("ssim"), []byte("auc"), []byte("auroc"),
		[]byte("mae"), []byte("mse"), []byte("dice"), []byte("err "), []byte("error"), []byte("nll"), []byte("ap "), []byte("ap\""), []byte("ap)"), []byte("ap'"), []byte("ndcg"), []byte("mrr"), []byte("fid"), []byte("r2"), []byte("eer"), []byte("stoi"), []byte("pesq"), []byte("sdr"), []byte("snr")}
)

func containsAny(text []byte, words [][]byte) bool {
	for _, w := range words {
		if bytes.Contains(text, w) {
			return true
		}
	}
	return false
}

// loopsToJudge reports whether a file may have a loop over evaluation data: one
// over what is called so, or one over batches in a function that is.
func loopsToJudge(g *Glance) bool { return g.once(&g.loops, hasLoopsToJudge) }

var forWord, defWord = words.NewFour("for "), words.NewFour("def ")

func hasLoopsToJudge(text []byte) bool {
	loops := false
	return eachAt(forWord.Index, text, func(at int) bool {
		if !startsLine(text, at) {
			return false
		}
		line := restOfLine(text, at)
		open := bytes.HasSuffix(line, []byte("(")) // what it goes over stands below
		judges := containsAny(line, judgeWords)
		loops = loops || judges || containsAny(line, loopWords)
		return open || judges
	}) || loops && eachAt(defWord.Index, text, func(at int) bool {
		async := len("async ")
		return (startsLine(text, at) || bytes.HasSuffix(text[:at], []byte("async ")) && startsLine(text, at-async)) &&
			containsAny(restOfLine(text, at), judgeWords)
	})
}

// startsLine reports whether only blanks stand before an offset in its line.
func startsLine(text []byte, at int) bool {
	for at > 0 && bytes.IndexByte([]byte(" \t\r\f\v"), text[at-1]) >= 0 {
		at--
	}
	return at == 0 || text[at-1] == '\n'
}

// restOfLine is a line from an offset on, without the blanks at its end.
func restOfLine(text []byte, at int) []byte {
	line := text[at:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimSpace(line)
}
