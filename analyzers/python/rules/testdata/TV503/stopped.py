# The run is stopped early: a flag is set, and both loops end by it.
def stopped(model, loader, optimizer, judge):
    model.train()
    stop = False
    for epoch in range(10):
        for step, x in enumerate(loader):
            model(x).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
            if step % 100 == 0:
                model.eval()  # ok: what does not come back to training mode ends
                if judge(model):
                    stop = True
                    break
                model.train()
        if stop:
            break


def told(model, loader, optimizer, judge):
    model.train()
    stop = False
    for epoch in range(10):
        for step, x in enumerate(loader):
            model(x).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
            if step % 100 == 0:
                model.eval()  # want TV503 "from here model is in evaluation mode"
                if judge(model):
                    stop = True
                    break
                model.train()
        if stop:
            print("no better")
