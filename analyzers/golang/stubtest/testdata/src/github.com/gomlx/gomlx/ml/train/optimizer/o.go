package optimizer

const ParamClipNaN = "clip_nan"

type Interface interface{ UpdateGraph(scope, g, loss any) }
