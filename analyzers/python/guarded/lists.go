package guarded

import "github.com/trainvet/trainvet/analyzers/catalog"

// lists are those of the catalogue that say what guards and counts.
type lists struct {
	module, function, fault, broad                 *catalog.Names
	sameMethod, sameFunction, sameAttribute        *catalog.Names
	partMethod, partFunction                       *catalog.Names
	hostMethod, hostCall, hostNot                  *catalog.Names
	narrowMethod, narrowType, grow, ends, suppress *catalog.Names
	handOver, flag, overflow, scale, report        *catalog.Names
	finite, nonfinite, norm, normRaises            *catalog.Names
}

func newLists(c *catalog.Py) lists {
	return lists{
		module: c.List("guard-module"), function: c.List("guard-function"), fault: c.List("fault-class"), broad: c.List("broad-class"),
		sameMethod: c.List("same-method"), sameFunction: c.List("same-function"), sameAttribute: c.List("same-attribute"),
		partMethod: c.List("part-method"), partFunction: c.List("part-function"),
		hostMethod: c.List("host-method"), hostCall: c.List("host-call"), hostNot: c.List("host-method-not"),
		narrowMethod: c.List("narrow-method"), narrowType: c.List("narrow-type"), grow: c.List("grow-method"),
		ends: c.List("ends-process"), suppress: c.List("suppress-call"), handOver: c.List("hand-over"),
		flag: c.List("overflow-flag"), overflow: c.List("overflow-error"), scale: c.List("scale-read"), report: c.List("report-call"),
		finite: c.List("finite-call"), nonfinite: c.List("nonfinite-call"), norm: c.List("norm-call"), normRaises: c.List("norm-raises"),
	}
}
