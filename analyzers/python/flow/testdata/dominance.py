def straight(x):
    before(x)
    after(x)  # want "dominated"


def behind(x):
    after(x)  # ok: it comes first
    before(x)


def one_arm(x):
    if x:
        before(x)
    after(x)  # ok: the other arm does not call it


def arms(x):
    if x:
        before(x)
    else:
        after(x)  # want "exclusive"


def arm_that_leaves(x):
    if x:
        return
    before(x)
    after(x)  # want "dominated"


def other_arm_leaves(x):
    if x:
        before(x)
    else:
        raise ValueError
    after(x)  # want "dominated"


def other_arm_ends(x):
    if x:
        before(x)
    else:
        end()
    after(x)  # want "dominated"


def loop(xs):
    for x in xs:
        before(x)
        after(x)  # want "dominated" "in a loop"


def behind_a_loop(xs):
    for x in xs:
        before(x)
    after(xs)  # ok: the loop may be empty


def endless():
    while True:
        before()
        if x:
            break
    after()  # want "dominated"


def not_reached():
    while True:
        pass
    after()  # want "not reached"


def short_circuit(x):
    ok = x or before(x)
    after(x)  # ok: it is evaluated only where x is false


def first_operand(x):
    ok = before(x) or x
    after(x)  # want "dominated"


def conditional(x):
    y = before(x) if x else after(x)  # want "exclusive"


def comprehension(xs):
    ys = [before(x) for x in xs]
    after(ys)  # ok: there may be no element


def iterated(xs):
    ys = [x for x in before(xs)]
    after(ys)  # want "dominated"


def inside(x):
    after(before(x))  # want "dominated"


def handler(x):
    try:
        before(x)
    except ValueError:
        pass
    after(x)  # ok: it may have raised


def handler_raises(x):
    try:
        before(x)
    except ValueError:
        raise
    after(x)  # want "dominated"


def handler_raises_and_closes(x):
    try:
        before(x)
    except ValueError:
        raise
    finally:
        close(x)
    after(x)  # want "dominated"


def final(x):
    try:
        f(x)
    finally:
        before(x)
    after(x)  # want "dominated"


def in_final(x):
    try:
        before(x)
    finally:
        after(x)  # ok: it may have raised before


def orelse(x):
    try:
        before(x)
    except ValueError:
        y = 1
    else:
        after(x)  # want "dominated"


def handler_and_else(x):
    try:
        f(x)
    except ValueError:
        before(x)
    else:
        after(x)  # want "exclusive"


def suppressed(x):
    with suppress():
        before(x)
    after(x)  # ok: it may have been cut short


def plain_with(x):
    with lock:
        before(x)
    after(x)  # want "dominated"


def cases(x):
    match x:
        case 1:
            before(x)
        case _:
            after(x)  # want "exclusive"


def every_case(x):
    match x:
        case 1:
            before(x)
        case _:
            raise ValueError
    after(x)  # want "dominated"


def asserted(x):
    assert x, before(x)
    after(x)  # ok: the message is made only when it fails


def function_within(x):
    def before_it():
        before(x)
    after(x)  # ok: nobody calls it


def retry(x):
    for i in range(3):
        try:
            before(x)
            break
        except ValueError:
            continue
    after(x)  # ok: three failures end the loop


def retry_else(x):
    for i in range(3):
        try:
            before(x)
            break
        except ValueError:
            continue
    else:
        raise ValueError
    after(x)  # want "dominated"
