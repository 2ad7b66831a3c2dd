"""What the server refuses, with the status and words that vLLM 0.31 uses by kind.

ApiError
├── Malformed       400  the body is no valid request
├── Invalid         400  a value that cannot be served
├── UnknownModel    404
└── Overloaded      503
"""


class ApiError(Exception):
    """An answer with an error body; `str()` is the message that a client reads."""

    status = 500
    kind = "InternalServerError"

    def __init__(self, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.param = param

    def body(self) -> dict[str, object]:
        return {
            "error": {
                "message": str(self),
                "type": self.kind,
                "param": self.param,
                "code": self.status,
            }
        }


class Malformed(ApiError):
    status = 400
    kind = "Bad Request"


class Invalid(ApiError):
    """`value` is named in the message, as vLLM does, when it is given."""

    status = 400
    kind = "BadRequestError"

    def __init__(
        self, message: str, param: str | None = None, value: object = None
    ) -> None:
        extras = [f"parameter={param}"] if param is not None else []
        extras += [f"value={value}"] if value is not None else []
        super().__init__(
            f"{message} ({', '.join(extras)})" if extras else message, param
        )


class UnknownModel(ApiError):
    status = 404
    kind = "NotFoundError"

    def __init__(self, name: str) -> None:
        super().__init__(f"The model `{name}` does not exist.", "model")


class Overloaded(ApiError):
    status = 503
    kind = "Service Unavailable"

    def __init__(self) -> None:
        super().__init__(
            "The engine is currently busy and cannot accept new requests. "
            "Please try again later or on a different instance."
        )
