"""Roles of columns as the window shows them: icon, colour, name, and the steps that give one."""

from __future__ import annotations

from workbench.core.schema import Role


def role_icon(role: Role) -> str:
    """Name of the icon whose shape stands for a role."""
    return f"role-{role.value}"


_NAMES = {Role.IDENTIFYING: "Leave out", Role.QUASI: "Others may know it"}


def role_name(role: Role) -> str:
    """Name of a role where somebody chooses it: the fate of the column, or what is so of it."""
    return _NAMES.get(role, role.words)


def role_and_term(role: Role) -> str:
    """The same with the term, where there is room for both."""
    return f"{role_name(role)} ({role.words.lower()})" if role is Role.QUASI else role_name(role)


def marked(columns: str, role: Role) -> str:
    """Giving a role to columns, as the step that can be undone has it."""
    return f"Leave {columns} out" if role is Role.IDENTIFYING else f"Mark {columns} as {role.words.lower()}"


def role_token(role: Role) -> str:
    """Theme token of a role's colour."""
    return "role_quasi" if role is Role.QUASI else f"role_{role.value}"
