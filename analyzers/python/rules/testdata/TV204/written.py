import json

import torch


def at_the_end(model, loader, opt):
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    finally:
        torch.save(model.state_dict(), "model.pt")  # want TV204 "written after a fault too"


def in_a_handler(model, loader, opt):
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    except Exception:
        if model.rank == 0:
            model.save_pretrained("out")  # want TV204 "written after a fault too"
        raise


def interrupted(model, loader, opt):
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    except KeyboardInterrupt:
        torch.save(model.state_dict(), "model.pt")  # ok: a fault does not come here


def for_the_crash(model, loader, opt):
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    except Exception:
        torch.save(model.state_dict(), "crash.pt")  # ok: nobody takes it for a result
        raise


def closed(model, loader, opt, writer):
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    finally:
        writer.close()  # ok: no artifact


def ended_well(model, loader, opt):
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    except Exception:
        raise
    else:
        torch.save(model.state_dict(), "model.pt")  # ok: only when it ended well


def read(path):
    try:
        rows = json.load(open(path))
    finally:
        json.dump([], open("rows.json", "w"))  # ok: nothing there comes from a device
    return rows


def named_before(model, loader, opt, epoch):
    path = save_path(epoch)
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    except Exception:
        path = save_path(epoch, prepend="errored-")
        torch.save(model.state_dict(), path)  # ok: the path is named for the fault
        raise


def named_as_a_result(model, loader, opt, epoch):
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    except Exception:
        path = save_path(epoch, prepend="last-")
        torch.save(model.state_dict(), path)  # want TV204 "written after a fault too"
        raise
