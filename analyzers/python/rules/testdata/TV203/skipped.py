import torch


def quiet(model, batches, opt):
    for x in batches:
        try:
            model(x).backward()
            opt.step()
        except RuntimeError as e:  # want TV203 "a batch that fails on the device is left out here and not counted"
            print(e)
            opt.zero_grad()
            continue


def typed(model, batches, opt):
    for x in batches:
        try:
            model(x).backward()
            opt.step()
        except torch.cuda.OutOfMemoryError:  # want TV203 "not counted"
            torch.cuda.empty_cache()


def some(model, batches, opt):
    for x in batches:
        try:
            model(x).backward()
            opt.step()
        except (RuntimeError, ValueError) as e:  # want TV203 "not counted"
            if "memory" not in str(e):
                raise


def counted(model, batches, opt):
    skipped = 0
    for x in batches:
        try:
            model(x).backward()
            opt.step()
        except torch.OutOfMemoryError:  # ok: counted, and said
            skipped += 1
    print(skipped)


def raised(model, batches, opt):
    for x in batches:
        try:
            model(x).backward()
            opt.step()
        except RuntimeError:  # ok: it raises
            print(x)
            raise


def finder(model, x, opt, size):
    while True:
        try:
            model(x[:size]).backward()
            opt.step()
            break
        except RuntimeError:  # ok: the batch becomes smaller, none is left out
            size //= 2


def once(model, x, opt):
    try:
        model(x).backward()
        opt.step()
    except RuntimeError:  # ok: no loop, no other batch
        return None


def reads(paths):
    for p in paths:
        try:
            print(open(p).read())
        except RuntimeError:  # ok: nothing is trained there, whatever optimizer or .step says
            continue


def memory(model, sizes, opt):
    results = {}
    for size in sizes:
        try:
            model(size).backward()
            opt.step()
            results[size] = torch.cuda.max_memory_allocated()
        except RuntimeError as e:  # ok: what became of each size is kept
            results[size] = f"not enough: {e}"
    return results


def marked(model, loader, opt, state):
    for x in loader:
        try:
            model(x).backward()
            opt.step()
        except RuntimeError:  # want `left out`
            state["failed"] = True
