package sites

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
)

// lists are the lists of the catalogue, looked up once.
type lists struct {
	calls   map[string]role // what a call of this name may be
	grammar grammar         // names that no list holds
	may     [1 << 12]bool   // by look: some name of calls

	decodeVocabulary, vocabularyName, vocabularyMethod, wordTable, decodeFunction, decodeCall                                                                                  *catalog.Names
	decodeMethod, decodeWeak                                                                                                                                                   *catalog.Names
	tokenKeyword, bytesKeyword, latentKeyword, idsKeyword, invertKeyword, scoreCall, tableKeyword, minimizeNot                                                                 *catalog.Names
	otherModule, bytesModule, asrModule, encodingName                                                                                                                          *catalog.Names
	tokenClass, processorClass, latentClass, stringClass                                                                                                                       *catalog.Names
	bytesClass, otherClass, asrClass, bytesField                                                                                                                               *catalog.Names
	factory, factoryVerb, instantiate                                                                                                                                          *catalog.Names
	latentName, stringName, tokenName, processorName                                                                                                                           *catalog.Names
	otherName, asrName, neutralName, bytesName                                                                                                                                 *catalog.Names
	tokenArg, latentArg, asrArg, stringArg                                                                                                                                     *catalog.Names
	moduleClass                                                                                                                                                                *catalog.Names
	generatedCall, dataCall, generatedName, dataName, constantName                                                                                                             *catalog.Names
	carryMethod, carryFunction, growMethod                                                                                                                                     *catalog.Names
	scalerName, scalerClass, scalerNot, optimizerName, optimizerClass, steppingName, updateFramework, addingFramework                                                          *catalog.Names
	schedulerName, schedulerClass, engineName, engineNot                                                                                                                       *catalog.Names
	engineClass, engineModule, otherStep, stepKeyword                                                                                                                          *catalog.Names
	unscaleMethod, frameworkStep                                                                                                                                               *catalog.Names
	pipelineModule, pipelineQuiet, trainerName, trainerNot, trainerStep, predict                                                                                               *catalog.Names
	streamer, scalerCall, transcribeClass                                                                                                                                      *catalog.Names
	servingClass, servingMethod, servingModule, tokenClassMethod, latentSure, predictCallee, averagingName, engineModel, engineWord, wordFramework, updateParams, updateMethod *catalog.Names
}

// role is what a call may be by its name alone.
type role uint8

const (
	decodeCall role = iota + 1
	stepCall
	implicitCall
)

func newLists(c *catalog.Py) lists {
	l := lists{calls: map[string]role{}, grammar: newGrammar(c)}
	for name, to := range map[string]**catalog.Names{
		"decode-method": &l.decodeMethod, "decode-method-weak": &l.decodeWeak,
		"decode-method-vocabulary": &l.decodeVocabulary, "vocabulary-name": &l.vocabularyName,
		"vocabulary-method": &l.vocabularyMethod, "word-table": &l.wordTable, "decode-function": &l.decodeFunction, "decode-call": &l.decodeCall,
		"token-keyword": &l.tokenKeyword, "bytes-keyword": &l.bytesKeyword, "latent-keyword": &l.latentKeyword, "ids-keyword": &l.idsKeyword, "score-call": &l.scoreCall, "table-keyword": &l.tableKeyword, "minimize-not": &l.minimizeNot, "invert-keyword": &l.invertKeyword,
		"other-module": &l.otherModule, "bytes-module": &l.bytesModule, "asr-module": &l.asrModule, "encoding-name": &l.encodingName,
		"token-class": &l.tokenClass, "processor-class": &l.processorClass, "latent-class": &l.latentClass, "strtok-class": &l.stringClass,
		"bytes-class": &l.bytesClass, "module-class": &l.moduleClass, "other-class": &l.otherClass, "asr-class": &l.asrClass, "bytes-field": &l.bytesField,
		"factory": &l.factory, "factory-verb": &l.factoryVerb, "instantiate": &l.instantiate,
		"latent-name": &l.latentName, "strtok-name": &l.stringName, "token-name": &l.tokenName, "processor-name": &l.processorName,
		"other-name": &l.otherName, "asr-name": &l.asrName, "neutral-name": &l.neutralName, "bytes-name": &l.bytesName,
		"token-arg": &l.tokenArg, "latent-arg": &l.latentArg, "asr-arg": &l.asrArg, "strtok-arg": &l.stringArg,
		"generated-call": &l.generatedCall, "data-call": &l.dataCall, "generated-name": &l.generatedName, "data-name": &l.dataName,
		"constant-name": &l.constantName, "carry-method": &l.carryMethod, "grow-method": &l.growMethod, "carry-function": &l.carryFunction,
		"scaler-name": &l.scalerName, "scaler-class": &l.scalerClass, "scaler-not-name": &l.scalerNot,
		"optimizer-name": &l.optimizerName, "optimizer-class": &l.optimizerClass, "stepping-name": &l.steppingName, "update-framework": &l.updateFramework, "adding-framework": &l.addingFramework,
		"scheduler-name": &l.schedulerName, "scheduler-class": &l.schedulerClass,
		"engine-name": &l.engineName, "engine-not-name": &l.engineNot, "engine-class": &l.engineClass, "engine-module": &l.engineModule,
		"other-step-name": &l.otherStep, "step-keyword": &l.stepKeyword, "unscale-method": &l.unscaleMethod, "framework-step": &l.frameworkStep,
		"pipeline-module": &l.pipelineModule, "pipeline-quiet": &l.pipelineQuiet, "trainer-name": &l.trainerName,
		"trainer-step-method": &l.trainerStep, "trainer-not-name": &l.trainerNot, "trainer-decode-keyword": &l.predict, "streamer-class": &l.streamer,
		"scaler-call": &l.scalerCall, "transcribe-class": &l.transcribeClass,
		"engine-text-class": &l.servingClass, "engine-text-method": &l.servingMethod, "engine-text-module": &l.servingModule,
		"token-class-method": &l.tokenClassMethod, "latent-sure": &l.latentSure, "predict-callee": &l.predictCallee, "averaging-name": &l.averagingName, "engine-model": &l.engineModel, "engine-word": &l.engineWord, "word-framework": &l.wordFramework, "update-params": &l.updateParams, "update-method": &l.updateMethod,
	} {
		*to = c.List(name)
	}
	for what, role := range map[string]role{
		"decode-method": decodeCall, "decode-method-weak": decodeCall, "decode-method-plain": decodeCall,
		"decode-method-vocabulary": decodeCall, "decode-function": decodeCall,
		"step-method": stepCall, "update-method": stepCall, "unscale-method": stepCall, "framework-step": stepCall,
		"trainer-step-method": implicitCall, "update-params": implicitCall, "transcribe-method": implicitCall,
		"engine-text-method": implicitCall, "streamer-class": implicitCall,
	} {
		for name := range c.List(what).Exact() {
			l.calls[name] = role
		}
	}
	l.calls["pipeline"] = implicitCall
	for name := range l.calls {
		l.may[look([]byte(name))] = true
	}
	return l
}

// mayCall reports whether a call of a name may be a site: most are not, and
// need not be looked up.
func (f *Finder) mayCall(name []byte) bool {
	if len(name) == 0 {
		return false
	}
	return f.known.may[look(name)] || f.ending(name) || f.known.grammar.may(name)
}

// role is what a call of a name, in lower case, may be.
func (l *lists) role(name string) role {
	if r, ok := l.calls[name]; ok || !l.grammar.says(name) {
		return r
	}
	return decodeCall
}

// givesWords reports whether a function of this name gives words where it looks
// them up.
func (l *lists) givesWords(name string) bool {
	return l.decodeFunction.Has(name) || l.calls[name] == 0 && l.grammar.says(name)
}

// ending knows the names of which lists hold the ending alone.
func (f *Finder) ending(name []byte) bool {
	if len(name) < 4 {
		return false
	}
	switch string(name[len(name)-2:]) {
	case "er", "ts", "gs", "ct", "ck", "ig": // scaler, trainer, arguments, args, dict, callback, config
		word := f.low.of(name)
		return f.known.scalerCall.Has(word) || f.known.predictCallee.Has(word)
	}
	return false
}

// look maps a name to few numbers by its length and ends, letter case folded.
func look(name []byte) uint16 {
	n := len(name)
	return (uint16(n)*37 ^ uint16(fold(name[0]))<<5 ^ uint16(fold(name[n-1]))*11 ^ uint16(fold(name[n/2]))<<2) & 0xfff
}

// lowered keeps the lower case of names: the same few stand in every file.
type lowered map[string]string

// maxLowered bounds the memory that hostile files can ask for.
const maxLowered = 1 << 16

func (l lowered) of(name []byte) string {
	if s, ok := l[string(name)]; ok {
		return s
	}
	s := strings.ToLower(string(name))
	l[string(name)] = s
	return s
}
