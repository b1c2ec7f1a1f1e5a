package metric

import "bytes"

// ours: a line that trainvet printed is no evidence.
func ours(s []byte) bool {
	s = bytes.TrimLeft(s, " \t[")
	if len(s) < 7 {
		return false
	}
	switch s[0] {
	case 't':
		return bytes.HasPrefix(s, []byte("trainvet"))
	case 'T':
		return verdictWord(s, "TRUSTED")
	case 'D':
		return verdictWord(s, "DEGRADED")
	case 'U':
		return verdictWord(s, "UNPROVEN")
	case 'P':
		return verdictWord(s, "POISONED")
	}
	return false
}

func verdictWord(s []byte, w string) bool {
	return bytes.HasPrefix(s, []byte(w)) && (len(s) == len(w) || !isAlnum(s[len(w)]))
}

// quoted: source text, documentation and settings hold numbers behind metric
// names without measuring anything.
func quoted(s []byte) bool {
	t := bytes.TrimLeft(s, " \t")
	if len(t) < 2 {
		return true
	}
	switch t[0] {
	case '#':
		return true
	case '/':
		return t[1] == '/'
	case '>':
		return t[1] == ' '
	case '$':
		return t[1] == ' '
	case '+', '-':
		return isAlpha(t[1]) || t[1] == '-' && isOption(t) || len(t) > 2 && t[1] == ' ' && t[2] == ' '
	}
	return bytes.IndexByte(s, '(') >= 0 && code(s)
}

// isOption: "--lr 0.1", an argument of a command line.
func isOption(t []byte) bool { return len(t) > 2 && isAlpha(t[2]) }

// maxLead is the length of the longest first word that is looked up.
const maxLead = 12

// led: the first word says that the line tells of a wish or an example.
func (l *lexicon) led(s []byte) bool {
	t := bytes.TrimLeft(s, " \t")
	n := 0
	for n < len(t) && n <= maxLead && (isAlpha(t[n]) || t[n] == '.') {
		n++
	}
	if n < 3 || n > maxLead || n == len(t) {
		return false
	}
	var low [maxLead]byte
	for i := range n {
		low[i] = t[i] | 0x20
	}
	how, ok := l.leads[string(low[:n])]
	return ok && (t[n] == ':' || how == "" && t[n] == ' ')
}

// code: a call that builds a message, or a dump of settings.
func code(s []byte) bool {
	for i := 0; i < len(s); {
		n := bytes.IndexByte(s[i:], '(')
		if n < 0 {
			return false
		}
		n += i
		j := n
		for j > 0 && (isAlnum(s[j-1]) || s[j-1] == '.') {
			j--
		}
		if call(string(s[j:n])) {
			return true
		}
		i = n + 1
	}
	return false
}

// call: names before a parenthesis that show program text or settings.
func call(w string) bool {
	switch w {
	case "print", "printf", "fprintf", "format", "logging.info", "logger.info", "log.info", "logger.warning", "logger.debug",
		"log_dist", "warnings.warn", "RuntimeError", "ValueError", "re.compile", "TORCH_CHECK", "assert", "Namespace",
		"writer.add_scalar", "self.log", "wandb.log", "log":
		return true
	}
	const settings = "Arguments"
	return len(w) >= len(settings) && (w[len(w)-len(settings):] == settings) ||
		len(w) >= 6 && w[len(w)-6:] == "Config"
}
