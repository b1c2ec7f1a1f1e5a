package rules

import "bytes"

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

func hasLoopsToJudge(text []byte) bool {
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
