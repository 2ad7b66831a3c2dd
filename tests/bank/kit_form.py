"""The forms of a kit as its pages send them."""

import uuid

from django.urls import reverse


def at(name, kit, *more):
    return reverse(f"bank:{name}", args=[kit.pk, *more])


def form(kit, **changed):
    """What the page of the kit's newest version would send."""
    version, sent = kit.latest, {}
    questions = list(version.in_order())
    for each in questions:
        row = str(each.position)
        sent |= {
            f"{row}-card_id": each.card_id,
            f"{row}-place": each.position,
            f"{row}-rungs": each.rungs_named,
            f"{row}-minutes": each.minutes,
            f"{row}-notes": each.notes,
        }
    frame = {
        "row": [str(each.position) for each in questions],
        "title": kit.title,
        "title_was": kit.title,
        "role": version.role,
        "level": version.level,
        "notes": version.notes,
        "number": version.number,
        "revision": version.revision,
        "find": "",
    }
    return sent | frame | changed


def save(client, kit, **changed):
    return client.post(at("kit", kit), form(kit, **changed))


def ids(version):
    return [each.card_id for each in version.in_order()]


def new_kit(client, **given):
    sent = {"key": uuid.uuid4(), "title": "Screen", "role": "", "level": "L3"}
    return client.post("/bank/kits/", sent | {"chance": 5, "minutes": ""} | given)


def draw(made, **changed):
    version = made.latest
    sent = {
        "role": "",
        "level": "L3",
        "minutes": "45",
        "seed": "",
        "chance": "7",
        "number": version.number,
        "revision": version.revision,
    }
    return {f"draw-{name}": value for name, value in (sent | changed).items()}


def void(client, made, **changed):
    sent = {"number": 1, "position": 1, "void": "1", "reason": "It was wrong."}
    return client.post(at("kit_void", made), sent | changed)
