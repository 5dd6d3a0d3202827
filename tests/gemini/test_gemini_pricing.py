"""Prices: dated, by modality, and unknown rather than nothing."""

from decimal import Decimal

import pytest
from freezegun import freeze_time

from svc.engine.models.gemini.pricing import cost_of_text, price_of, usage_of

FLASH, LITE, TRANSCRIBE = "gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-3.5-transcribe"


def split(**tokens):
    return [{"modality": name, "tokens": count} for name, count in tokens.items()]


def reported(out=0, thought=0, **tokens):
    return {
        "total_input_tokens": sum(tokens.values()),
        "input_tokens_by_modality": split(**tokens),
        "total_output_tokens": out,
        "total_thought_tokens": thought,
    }


@pytest.mark.parametrize(("day", "price"), [("2026-11-20", "0.75"), ("2026-12-31", "0.75"), ("2027-01-01", "1.50")])
def test_a_price_holds_from_its_day_on(day, price):
    with freeze_time(day):
        assert price_of(FLASH)["input"] == Decimal(price)


def test_an_alias_costs_what_it_stands_for():
    assert price_of("gemini-flash-lite-latest") == price_of(LITE)


def test_an_unknown_model_has_no_price():
    assert usage_of("gemini-9", reported(text=100), "").usd is None


def test_a_call_that_reports_nothing_has_no_price():
    assert usage_of(LITE, {}, "text").usd is None


def test_thoughts_are_billed_as_output():
    assert usage_of(LITE, reported(out=10, thought=90, text=1000), "x").usd == Decimal("0.00055")


def test_an_hour_of_speech_costs_about_thirty_cents():
    used = usage_of(TRANSCRIBE, reported(audio=90_000), "x" * 42_000)
    assert used.tokens_out == 10_500 and float(used.usd) == pytest.approx(0.18 + 0.126)


def test_sound_has_a_price_of_its_own():
    assert usage_of("gemini-3.1-flash-lite", reported(text=1000, audio=1000, out=1), "").usd == Decimal("0.0007515")


def test_what_was_cached_is_cheaper():
    usage = reported(text=1000, out=1) | {"total_cached_tokens": 600, "cached_tokens_by_modality": split(text=600)}
    assert usage_of(LITE, usage, "").usd == Decimal("0.0001405")


def test_without_a_split_the_dearest_price_counts():
    usage = {"total_input_tokens": 1000, "total_output_tokens": 1}
    assert usage_of("gemini-2.5-flash", usage, "").usd == Decimal("0.0010025")


def test_long_questions_may_cost_more():
    assert usage_of("gemini-3.1-pro-preview", reported(text=200_001, out=1), "").usd > Decimal("0.8")


def test_tool_use_is_billed_as_input():
    usage = reported(text=0, out=1) | {"total_tool_use_tokens": 1_000_000}
    assert usage_of(LITE, usage, "").usd == Decimal("0.3000025")


def test_the_cost_of_text_is_nothing_without_a_price():
    assert cost_of_text("gemini-9", 1000) == 0
