"""Tells where widgets are in their window, in logical points, one JSON line, once they have been laid out."""

import json
import sys


def tell(places):
    print(json.dumps({name: [round(v, 1) for v in place] for name, place in places.items()}), flush=True)


def fail(why):
    print(why, file=sys.stderr, flush=True)
    sys.exit(1)
