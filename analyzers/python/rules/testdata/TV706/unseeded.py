def main(model, loader, optimizer):
    for x in loader:
        model(x).backward()
        optimizer.step()


if __name__ == "__main__":  # want "trains and sets no"
    main()
