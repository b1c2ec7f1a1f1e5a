import faulthandler


def main(model, loader, optimizer):
    faulthandler.enable()
    for x in loader:
        model(x).backward()
        optimizer.step()


if __name__ == "__main__":  # ok: enabled
    main()
