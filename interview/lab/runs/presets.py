"""Loads that the form offers by name."""

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    title: str
    levels: tuple[int, ...]
    repeat: int
    requests: tuple[int, ...] | None
    """None is the client's rule."""
    prompt_tokens: int = 512
    max_tokens: int = 128

    @property
    def fields(self) -> dict[str, str]:
        """Of the form, where they take the place of what was typed."""
        return {
            "source": "text",
            "prompt_tokens": str(self.prompt_tokens),
            "max_tokens": str(self.max_tokens),
            "levels": ",".join(str(users) for users in self.levels),
            "repeat": str(self.repeat),
        }


PRESETS = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                "two-loads-live",
                "Two loads, once: 1 and 64 users",
                levels=(1, 64),
                repeat=1,
                requests=(4, 128),
            ),
            Preset(
                "two-loads-full",
                "Two loads, whole: 1, 4, 16 and 64 users, three times each",
                levels=(1, 4, 16, 64),
                repeat=3,
                requests=None,
            ),
        )
    }
)


def sizes_of(experiment_id: str) -> tuple[Preset, ...]:
    """The presets that measure this experiment, shortest first; for most there are
    none."""
    return tuple(p for p in PRESETS.values() if p.name.startswith(f"{experiment_id}-"))
