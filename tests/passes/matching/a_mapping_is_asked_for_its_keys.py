def f(command):
    match command:
        case {"op": "scale", "by": k, **rest}:
            return k, rest
        case {}:
            return "other"
        case _:
            return None


ARGS = ({"op": "scale", "by": 2.0, "at": 1},)
MORE_ARGS = [({"op": "shift"},), ([],)]


# --- after ---
def f(command):
    if (
        is_mapping(command)
        and "op" in command
        and command["op"] == "scale"
        and "by" in command
    ):
        k = command["by"]
        rest = {**command}
        del rest["op"]
        del rest["by"]
        return k, rest
    elif is_mapping(command):
        return "other"
    else:
        return None
