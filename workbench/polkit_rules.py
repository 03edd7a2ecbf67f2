"""Evaluates polkit rules in the JavaScript engine of Debian's polkitd, without polkitd.

    python3 -m workbench.polkit_rules FILE USER ACTION [KEY=VALUE ...]

Prints the result of the first rule that returns one, such as `yes`, or `nothing`: then the action's own policy holds.
KEY=VALUE are the details that the asking service gives. polkitd gives rules more than this (of the subject, its process
and session); a rule that uses it fails here.
"""
import ctypes
import ctypes.util
import json
import pathlib
import sys

# duktape.h: DUK_COMPILE_EVAL, _SAFE, _NOSOURCE, _STRLEN, _NOFILENAME, as in its duk_peval_string().
EVALUATE = 1 << 3 | 1 << 7 | 1 << 9 | 1 << 10 | 1 << 11

# The definitions of polkitd's init.js.
POLKIT = """
var rules = [];
var polkit = {Result: {NO: "no", YES: "yes", AUTH_SELF: "auth_self", AUTH_ADMIN: "auth_admin"},
              addRule: function(rule) { rules.push(rule); }};
"""
ASK = """
(function(user, id, details) {
    var action = {id: id, lookup: function(key) { return details[key]; }};
    for (var i = 0; i < rules.length; i++) {
        var said = rules[i](action, {user: user});
        if (said) return said;
    }
    return "nothing";
})"""


class Engine:
    def __init__(self):
        name = ctypes.util.find_library('duktape')
        if name is None:
            sys.exit('there is no libduktape: apt-get install polkitd')
        self.library = ctypes.CDLL(name)
        self.library.duk_create_heap.restype = ctypes.c_void_p
        self.library.duk_create_heap.argtypes = [ctypes.c_void_p] * 5
        self.library.duk_eval_raw.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint]
        self.library.duk_safe_to_lstring.restype = ctypes.c_char_p
        self.library.duk_safe_to_lstring.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
        self.heap = self.library.duk_create_heap(None, None, None, None, None)

    def run(self, text):
        status = self.library.duk_eval_raw(self.heap, text.encode(), 0, EVALUATE)
        answer = self.library.duk_safe_to_lstring(self.heap, -1, None).decode()
        if status != 0:
            sys.exit(answer)
        return answer


def main():
    file, user, action, *details = sys.argv[1:]
    engine = Engine()
    engine.run(POLKIT)
    engine.run(pathlib.Path(file).read_text())
    words = [user, action, dict(detail.split('=', 1) for detail in details)]
    print(engine.run(ASK + '(' + ', '.join(json.dumps(word) for word in words) + ')'))


if __name__ == '__main__':
    main()
