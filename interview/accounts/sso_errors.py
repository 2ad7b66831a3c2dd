"""What goes wrong on the way to a provider and back.

SsoError                a sentence for the person, `detail` for the log
├── Unreachable         the provider does not answer, or not as one
├── Contradiction       it says one thing here and another there
├── Unproven            its token does not prove who signed in
├── Lost                the answer fits no sign-in that began in this browser
├── Declined            the person did not agree
└── NotLetIn            we know who it is, and they do not come in
"""


class SsoError(Exception):
    sentence = ""
    status = 403

    def __init__(self, detail: str = "", sentence: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
        self.sentence = sentence or self.sentence


class Unreachable(SsoError):
    sentence = (
        "Could not reach the place where you sign in. Try again in a minute; "
        "if it stays so, tell the person who runs this installation."
    )
    status = 502


class Contradiction(SsoError):
    sentence = (
        "The place where you sign in names another issuer or person than it should. "
        "Tell the person who runs this installation."
    )


class Unproven(SsoError):
    sentence = "The answer did not prove who you are. Begin again."


class Lost(SsoError):
    sentence = (
        "This sign-in is over: it was used, is older than ten minutes, or began in "
        "another browser. Begin again."
    )


class Declined(SsoError):
    sentence = "You did not agree to sign in. Nothing was changed."


class NotLetIn(SsoError):
    pass
