"""A browser's network, gone and back.

Chromium tells a page that it is offline a moment before it is so: a stream that the
page opens anew at once may get through. So streams are refused first.
"""

import re

STREAMS = re.compile(r"/events(\?|$)")


def refuse(route):
    route.abort("internetdisconnected")


def cut(page):
    page.context.route(STREAMS, refuse)
    page.context.set_offline(True)


def mend(page):
    page.context.unroute(STREAMS, refuse)
    page.context.set_offline(False)
