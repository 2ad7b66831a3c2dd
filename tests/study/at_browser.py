"""Somebody at a browser without JavaScript: follows links, sends the page's forms."""

import re
from urllib.parse import unquote

from interview.study.models import Session

FORM = r'<form[^>]*action="([^"]*/{}/)"[^>]*>(.*?)</form>'
HIDDEN = r'<input type="hidden" name="(\w+)" value="([^"]*)"'


class Learner:
    def __init__(self, client):
        self.client = client
        self.address, self.html = "/practice/", ""

    def get(self, address):
        return self._at(self.client.get(address, follow=True))

    def _at(self, response):
        assert response.status_code == 200, response.status_code
        query = unquote(response.request["QUERY_STRING"])
        self.address = response.request["PATH_INFO"] + (f"?{query}" if query else "")
        self.html = response.text
        return self

    def form(self, name):
        """Address and fields of the form that is sent to `name`."""
        action, body = re.search(FORM.format(name), self.html, re.DOTALL).groups()
        fields = dict(re.findall(HIDDEN, body))
        return action, {name: of for name, of in fields.items() if "csrf" not in name}

    def send(self, name, **given):
        return self.post(self.form(name), **given)

    def post(self, form, **given):
        """A form as `form` gave it, perhaps a while ago."""
        action, fields = form
        return self._at(self.client.post(action, fields | given, follow=True))

    def start(self, query="?list=all", **options):
        self.get(f"/practice/{query}")
        return self.send("start", **options)

    def open_all(self):
        """The short answer and the full one."""
        return self.send("reveal").send("reveal")

    def climb(self, *grades):
        """The question and then rung by rung, each with its grade."""
        self.open_all().send("grade", grade=grades[0])
        for grade in grades[1:]:
            self.open_all().send("grade", grade=grade)
        return self

    @property
    def session(self):
        return Session.objects.newest_first().first()

    @property
    def here(self):
        """The step that the page shows."""
        return self.session.steps.get(position=self.address.split("/")[3])
