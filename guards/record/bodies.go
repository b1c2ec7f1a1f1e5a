package record

// The keys of each body, in the order of its struct. A test holds them
// against the struct's tags.

func (e *encoder) boot(d *Boot) {
	e.str("run", d.Run)
	e.str("host", d.Host)
	e.str("boot_id", d.BootID)
	e.num("ppid", int64(d.Parent))
	e.num("start", d.Start)
	e.str("lang", d.Lang)
	e.str("runtime", d.Runtime)
	e.str("guards", d.Guards)
	e.strs("argv", d.Argv)
	e.num("world", int64(d.World))
	e.opt("local_rank", int64(d.LocalRank))
	e.str("why", d.Why)
	e.key("frameworks")
	e.buf = append(e.buf, '[')
	for i, f := range d.Frameworks {
		if !e.open(i) {
			break
		}
		e.item("name", f.Name)
		e.item("version", f.Version)
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, ']')
	e.strs("checks", d.Checks)
	e.key("off")
	e.buf = append(e.buf, '[')
	for i, o := range d.Off {
		if !e.open(i) {
			break
		}
		e.item("check", o.Check)
		e.item("why", o.Why)
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, ']')
}

func (e *encoder) child(d *Child) {
	e.num("pid", int64(d.Pid))
	e.str("how", d.How)
	e.strs("argv", d.Argv)
	e.bool("expect", d.Expect)
}

func (e *encoder) end(d *End) {
	e.str("why", d.Why)
	e.num("lost", d.Lost)
	e.num("hook_errors", d.HookErrors)
}

func (e *encoder) site(d *Site) {
	e.num("site", int64(d.Site))
	e.str("kind", d.Kind)
	e.str("name", d.Name)
	e.str("id", d.ID)
	e.str("state", d.State)
	e.str("file", d.File)
	e.num("line", int64(d.Line))
	e.str("function", d.Function)
	e.num("vocab", d.Vocab)
	e.num("width", d.Width)
	e.str("bound", d.Bound)
	e.bool("live", d.Live)
	e.str("why", d.Why)
}

func (e *encoder) count(d *Count) {
	e.str("check", d.Check)
	e.num("site", int64(d.Site))
	e.num("calls", d.Calls)
	e.num("values", d.Values)
	e.key("tally")
	e.buf = append(e.buf, '[')
	for i, t := range d.Tally {
		if !e.open(i) {
			break
		}
		e.item("name", t.Name)
		e.num("n", t.N)
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, ']')
}

func (e *encoder) fault(d *Fault) {
	e.str("code", d.Code)
	e.str("effect", string(d.Effect))
	e.str("scope", d.Scope)
	e.num("site", int64(d.Site))
	e.str("device", d.Device)
	e.str("value", d.Value)
	e.opt("row", d.Row)
	e.opt("col", d.Column)
	e.opt("step", d.Step)
	e.opt("from", d.From)
	e.opt("until", d.Until)
	e.str("metric", d.Metric)
	e.str("text", d.Text)
}

func (e *encoder) finding(d *Finding) {
	e.str("code", d.Code)
	e.str("class", string(d.Class))
	e.str("effect", string(d.Effect))
	e.str("scope", d.Scope)
	e.num("site", int64(d.Site))
	e.opt("from", d.From)
	e.opt("until", d.Until)
	e.str("metric", d.Metric)
	e.str("name", d.Name)
	e.str("text", d.Text)
	if d.Said > 0 {
		e.num("said", d.Said)
	}
}

func (e *encoder) probe(d *Probe) {
	e.str("name", d.Name)
	e.str("device", d.Device)
	e.str("driver", d.Driver)
	e.str("framework", d.Framework)
	e.bool("passed", d.Passed)
	e.str("text", d.Text)
}

func (e *encoder) step(d *Step) {
	e.str("optimizer", d.Optimizer)
	e.opt("step", d.Step)
	e.num("planned", d.Planned)
	e.num("attempted", d.Attempted)
	e.num("applied", d.Applied)
	e.num("skipped", d.Skipped)
	e.num("samples", d.Samples)
	e.str("how", d.How)
}

func (e *encoder) skip(d *Skip) {
	e.str("optimizer", d.Optimizer)
	e.opt("from", d.From)
	e.opt("until", d.Until)
	e.num("n", d.Count)
	e.opt("step", d.Step)
	e.str("reason", d.Reason)
	e.float("scale", d.Scale)
	e.bool("scaled", d.Scaled)
	e.bool("floor", d.AtFloor)
	e.num("skipped", d.Total)
}

func (e *encoder) metric(d *Metric) {
	e.str("name", d.Name)
	e.float("value", d.Value)
	e.str("split", d.Split)
	e.opt("n", d.N)
	e.opt("good", d.Good)
	e.opt("step", d.Step)
	e.float("epoch", d.Epoch)
	e.str("taint", d.Taint)
	e.str("from", d.From)
	if d.Where != "" {
		e.str("where", d.Where)
	}
}

func (e *encoder) artifact(d *Artifact) {
	e.str("op", d.Op)
	e.str("path", d.Path)
	e.opt("size", d.Size)
	e.str("sample", d.Sample)
	e.opt("step", d.Step)
	e.str("kind", d.Kind)
	e.str("taint", d.Taint)
}
