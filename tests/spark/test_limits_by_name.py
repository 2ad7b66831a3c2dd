"""Profiles are found by listed names alone, and own ones are read with care."""

from pathlib import Path

import pytest

from interview.spark.catalogue import Catalogue, ProfileError, read_catalogue
from interview.spark.limits import find
from interview.spark.profiles import PROFILES

MACHINE = '[[machine]]\nname = "Two boxes"\nbandwidth_gb_per_s = 546\n'
SIZES = {
    "layers": 2,
    "hidden": 8,
    "query_heads": 2,
    "kv_heads": 1,
    "head_dim": 4,
    "mlp_width": 16,
    "vocabulary": 100,
    "max_positions": 64,
}


def model_toml(name="lab/Tiny-MoE", **changes):
    keys = {key: value for key, value in (SIZES | changes).items() if value is not None}
    lines = "\n".join(f"{key} = {value}" for key, value in keys.items())
    return f'[[model]]\nname = "{name}"\n{lines}\n'


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "profiles.toml"
        path.write_text(text)
        return read_catalogue(path)

    return read


@pytest.mark.parametrize(
    "served",
    [
        "Qwen/Qwen3-30B-A3B",
        "Qwen3-30B-A3B",
        "qwen/qwen3-30b-a3b",
        "Qwen/Qwen3-30B-A3B-simulated",
        "Qwen3-30B-A3B-Simulated",
        "Qwen/Qwen3-30B-A3B-Instruct-2507",
    ],
)
def test_a_model_is_found_under_its_listed_names(served):
    _, model = find("dgx spark", served)
    assert model.name == "Qwen/Qwen3-30B-A3B"


@pytest.mark.parametrize(
    "served",
    [
        "",
        "Qwen3-30B",
        "Qwen/Qwen3-30B-A3B-FP8",
        "Qwen3-30B-A3B-AWQ",
        "other/Qwen3-30B-A3B",
        "/models/Qwen3-30B-A3B",
        "simulated-Qwen3-30B-A3B",
    ],
)
def test_a_model_that_is_not_listed_is_never_guessed(served):
    assert find("DGX Spark", served) is None


@pytest.mark.parametrize("hardware", ["", "Spark", "H100", "H100 PCIe", "RTX PRO 6000"])
def test_a_machine_that_is_not_listed_is_never_guessed(hardware):
    assert find(hardware, "Qwen3-8B") is None


def test_a_machine_is_found_whatever_its_capitals():
    machine, _ = find("  gb10 ", "Qwen3-8B")
    assert machine.name == "DGX Spark"


def test_own_profiles_come_first_and_leave_the_others(read):
    own = read(MACHINE.replace("Two boxes", "dgx spark") + model_toml())
    both = own.over(PROFILES)
    machine, model = find("DGX Spark", "tiny-moe", both)
    assert (machine.peak_bytes_per_s, machine.memory_bytes) == (546e9, None)
    assert (model.layers, model.experts, model.qk_norm) == (2, 0, False)
    assert find("H200", "Qwen3-8B", both) == find("H200", "Qwen3-8B")


def test_other_names_of_an_own_profile_are_found_too(read):
    own = read(model_toml() + 'names = ["moe-of-the-lab", "ORG/Tiny"]\n')
    names = ["lab/tiny-moe", "Tiny-MoE", "moe-of-the-lab", "org/tiny", "tiny"]
    assert all(own.model(name) for name in names)


def test_an_empty_file_has_no_profiles(read):
    assert read("") == Catalogue()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[machine]\n", "is no TOML"),
        ("[machine]\nname = 'A'\n", "“machine” is no list. Write [[machine]] tables."),
        ("[[machines]]\n", "“machines” is unknown. Write [[machine]] and [[model]]"),
        ("[[machine]]\n", "machine 1: the key “name” is missing. Add it."),
        (
            "[[machine]]\nname = 'A'\n",
            "machine 1 (A): the key “bandwidth_gb_per_s” is missing. Add it.",
        ),
        (
            "[[machine]]\nname = 'A'\nbandwidth_gb_per_s = '1'\n",
            "“bandwidth_gb_per_s” is '1'; write a number of GB above 0.",
        ),
        (
            "[[machine]]\nname = 'A'\nbandwidth_gb_per_s = nan\n",
            "“bandwidth_gb_per_s” is nan;",
        ),
        (
            "[[machine]]\nname = 'A'\nbandwidth = 1\n",
            "the key “bandwidth” is unknown; known are bandwidth_gb_per_s,",
        ),
        (
            MACHINE + "names = 'B'\n",
            "machine 1 (Two boxes): the key “names” is no list of names.",
        ),
        (
            MACHINE + MACHINE.replace("Two boxes", "TWO BOXES"),
            "machine 2 (TWO BOXES): the key “names” has “two boxes”, which an earlier",
        ),
        (
            model_toml(layers=None),
            "model 1 (lab/Tiny-MoE): the key “layers” is missing. Add it.",
        ),
        (model_toml(hidden=0), "“hidden” is 0; write a whole number from 1."),
        (model_toml(hidden=1.5), "“hidden” is 1.5; write a whole number from 1."),
        (model_toml(hidden="true"), "“hidden” is True; write a whole number"),
        (model_toml(qk_norm=1), "“qk_norm” is neither true nor false."),
        (model_toml(experts=8), "“active_experts” is missing. Add it."),
        (
            model_toml(experts=8, active_experts=9),
            "“active_experts” is more than the 8 experts.",
        ),
        (
            model_toml() + model_toml(name="other/Tiny-MoE"),
            "model 2 (other/Tiny-MoE): the key “names” has “tiny-moe”",
        ),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_the_key(read, tmp_path, text, words):
    with pytest.raises(ProfileError) as refused:
        read(text)
    assert str(tmp_path / "profiles.toml") in str(refused.value)
    assert words in str(refused.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ProfileError, match=r"profiles\.toml cannot be read"):
        read_catalogue(tmp_path / "profiles.toml")


def test_the_profiles_in_the_readme_can_be_used(read):
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    own = read("[[machine]]" + text.split("[[machine]]", 1)[1].split("```")[0])
    machine, model = find("2x H100 SXM", "the-name-it-is-served-under", own)
    assert (machine.memory_bytes, model.experts) == (160e9, 64)
