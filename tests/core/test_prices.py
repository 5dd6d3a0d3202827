import pytest

from svc.core import prices


@pytest.mark.parametrize(
    ("layers", "minutes"),
    [(["captions"], 1), (["audio"], 10), (["visual"], 10), (["audio", "visual"], 20), (["synthesis"], 0), ([], 0)],
)
def test_ten_minutes_cost_their_rate(layers, minutes):
    assert prices.shown(prices.charge(layers, 600)) == minutes


def test_seconds_are_not_rounded_up():
    assert prices.charge(["audio"], 1) == 16_667
    assert prices.shown(prices.charge(["audio"], 1)) == 0.017


def test_a_full_proofread_adds_half_a_minute():
    assert prices.shown(prices.charge(["audio"], 60, proofread=True)) == 1.5
