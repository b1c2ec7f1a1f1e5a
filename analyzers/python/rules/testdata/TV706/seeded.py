import torch


def main(model, loader, optimizer, args):
    torch.manual_seed(args.seed)
    for x in loader:
        model(x).backward()
        optimizer.step()


if __name__ == "__main__":  # ok: seeded
    main()
