import time


def main(model, loader, optimizer, epochs):
    begin = time.time()
    for epoch in range(epochs):
        start = time.time()
        for x in loader:
            model(x).backward()
            optimizer.step()
        print(epoch, time.time() - start)  # ok: the whole run is timed too
    print("all", time.time() - begin)


if __name__ == "__main__":
    main()
