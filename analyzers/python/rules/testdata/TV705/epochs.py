import time


def main(model, loader, optimizer, epochs):
    for epoch in range(epochs):
        start = time.time()
        for x in loader:
            model(x).backward()
            optimizer.step()
        print(epoch, time.time() - start)  # want "those of single epochs or steps"


if __name__ == "__main__":
    main()
