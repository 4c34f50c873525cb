"""How this portal refuses: the contract leaves it open for all operations but one (§7)."""

from __future__ import annotations


class Refusal(Exception):
    """Ends an operation with an HTTP status and an error object."""

    def __init__(self, status: int, message: str, code: str = 'PORTAL_0001', details: list | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.error = {'code': status, 'messageCode': code, 'message': message, 'details': details or []}


def invalid(message: str) -> Refusal:
    return Refusal(400, message, 'PORTAL_0400')


def unknown(what: str) -> Refusal:
    return Refusal(404, f'There is no such {what}.', 'PORTAL_0404')


def forbidden(message: str) -> Refusal:
    return Refusal(403, message, 'PORTAL_0403')


def conflict(message: str) -> Refusal:
    return Refusal(409, message, 'PORTAL_0409')
