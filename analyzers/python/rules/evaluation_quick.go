package rules

import "bytes"

// Second looks at the bytes of a file, before it is parsed for a rule whose
// words stand in too many files. They may say yes too often, never no where the
// rule would find something.

var (
	loopWords   = [][]byte{[]byte("loader"), []byte("batches"), []byte("_dl"), []byte("dl)"), []byte("dl:"), []byte("_iter"), []byte("data"), []byte("_set"), []byte("set:"), []byte("set)")}
	judgeWords  = [][]byte{[]byte("val"), []byte("test"), []byte("eval"), []byte("dev"), []byte("predict"), []byte("Val"), []byte("Test"), []byte("Eval")}
	metricWords = [][]byte{[]byte("loss"), []byte("acc"), []byte("metric"), []byte("result"), []byte("score"), []byte("f1"), []byte("iou"), []byte("bleu"), []byte("rouge"),
		[]byte("wer"), []byte("cer"), []byte("precision"), []byte("recall"), []byte("top1"), []byte("top5"), []byte("ppl"), []byte("perplex"), []byte("psnr"), []byte("ssim"), []byte("auc"), []byte("auroc"),
		[]byte("mae"), []byte("mse"), []byte("dice"), []byte("err "), []byte("error"), []byte("nll"), []byte("ap "), []byte("ap\""), []byte("ap)"), []byte("ap'"), []byte("ndcg"), []byte("mrr"), []byte("fid"), []byte("r2"), []byte("eer"), []byte("stoi"), []byte("pesq"), []byte("sdr"), []byte("snr")}
	defaultWords = [][]byte{[]byte(".get("), []byte("isnan("), []byte("nan_to_num("), []byte("else 0"), []byte("else 1"), []byte("else ."), []byte("max(")}
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
func loopsToJudge(text []byte) bool {
	loops, judges := false, false
	for line := range bytes.Lines(text) {
		switch line = bytes.TrimSpace(line); {
		case bytes.HasPrefix(line, []byte("for ")):
			open := bytes.HasSuffix(line, []byte("(")) // what it goes over stands below
			if !open && !containsAny(line, loopWords) && !containsAny(line, judgeWords) {
				continue
			}
			if open || containsAny(line, judgeWords) {
				return true
			}
			loops = true
		case bytes.HasPrefix(line, []byte("def ")), bytes.HasPrefix(line, []byte("async def ")):
			judges = judges || containsAny(line, judgeWords)
		}
		if loops && judges {
			return true
		}
	}
	return false
}

// near is how many lines from a default its metric may be named.
const near = 3

// defaultsMetric reports whether a default, or a test for NaN, stands within a
// few lines of what may be the name of a metric. It searches for the defaults,
// which are rare, and looks for a metric only around each.
func defaultsMetric(text []byte) bool {
	for _, word := range defaultWords {
		for at := 0; ; {
			i := bytes.Index(text[at:], word)
			if i < 0 {
				break
			}
			at += i
			if containsAny(around(text, at, near), metricWords) {
				return true
			}
			at += len(word)
		}
	}
	return false
}

// around is the line at an offset, with n lines before and behind it.
func around(text []byte, at, n int) []byte {
	start, end := at, at
	for range n + 1 {
		if start = bytes.LastIndexByte(text[:start], '\n'); start < 0 {
			break
		}
	}
	for range n + 1 {
		i := bytes.IndexByte(text[end:], '\n')
		if i < 0 {
			end = len(text)
			break
		}
		end += i + 1
	}
	return text[start+1 : end]
}
