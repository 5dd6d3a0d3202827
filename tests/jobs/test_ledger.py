"""Any interleaving of creations, claims, ends, cancels, crashes and new days: nothing is lost, nothing counts twice."""

import itertools
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from freezegun import freeze_time
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from svc.accounts import ledger, users
from svc.accounts.caller import Caller
from svc.accounts.models import MODELS as ACCOUNT_MODELS
from svc.accounts.models import Entry, Hold
from svc.core import clock, database, prices
from svc.core.errors import EngineError, Refusal
from svc.core.ids import make_id
from svc.core.limits import Limits
from svc.core.prices import MICRO
from svc.core.settings import Settings
from svc.engine.facts import Facts, Track
from svc.jobs import cancel, claim, create, finish
from svc.jobs.events import TERMINAL
from svc.jobs.models import ENDED, OPEN, Event, Job, Upload
from svc.jobs.models import MODELS as JOB_MODELS

EXAMPLES, STEPS = 60, 40
ATTEMPTS = 3
MANY = 1000
LENGTHS = (None, 1.0, 2.5, 61.0, 599.999)
OWNERS = ("ann", "bob", "anonymous")


def wide(plan):
    return replace(plan, requests_per_minute=MANY, waiting_jobs=MANY, uploads_waiting=MANY)


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    limits = Limits()
    limits = replace(limits, anonymous=wide(limits.anonymous), free=wide(limits.free), pro=wide(limits.pro))
    made = Settings(data_dir=tmp_path_factory.mktemp("data"), secret_key="x", limits=limits)
    database.connect(made)
    database.migrate(made)
    yield made
    database.release()


class Book(RuleBasedStateMachine):
    """Three callers, their jobs, and what each was given. The database is judged by its rows alone."""

    settings: Settings
    frozen = None
    found: dict[str, Facts]
    jobs = Bundle("jobs")
    claims = Bundle("claims")

    def __init__(self):
        super().__init__()
        for model in (*JOB_MODELS, *ACCOUNT_MODELS):
            model.delete().execute()
        self.users = {name: users.create(f"{name}@example.com") for name in OWNERS[:2]}
        self.granted = {}
        self.numbers = itertools.count()
        self.holds = {}
        self.plans_changed = False

    def caller(self, name):
        if name == "anonymous":
            return Caller("anon:x", "anonymous", self.settings.limits.anonymous)
        user = self.users[name]
        plan = users.plan_of(user)
        return Caller(users.owner_of(user), plan, self.settings.limits.plan(plan), user)

    @rule(
        target=jobs,
        name=st.sampled_from(OWNERS),
        content=st.integers(1, 3),
        mode=st.sampled_from(("auto", "captions", "audio")),
        seconds=st.sampled_from(LENGTHS),
        captions=st.booleans(),
        provider=st.sampled_from(("generic", "videosite")),
        options=st.sampled_from(({}, {"proofread": "full"}, {"detail": "transcript"})),
    )
    def ask_for_a_link(self, name, content, mode, seconds, captions, provider, options):
        url = f"https://site.example/{content}.mp4"
        tracks = [Track("en", "manual")] if captions else []
        found = Facts({"provider": provider, "url": url}, {}, f"{provider}:{content}", seconds, True, True, tracks)
        self.found[url] = found
        return self.ask(name, {"url": url, "mode": mode, "options": options})

    @rule(target=jobs, name=st.sampled_from(OWNERS), seconds=st.sampled_from(LENGTHS), again=st.booleans())
    def ask_with_an_upload(self, name, seconds, again):
        found = Facts({"provider": "local"}, {}, f"local:{next(self.numbers)}", seconds, True, False)
        now = clock.now_ms()
        upload = Upload.create(
            id=make_id("upl"),
            owner=self.caller(name).owner,
            bytes=1,
            facts=found.to_json(),
            created_at=now,
            expires_at=now + 3_600_000,
        )
        made = self.ask(name, {"upload_id": upload.id})
        if again:
            with pytest.raises((Refusal, EngineError)):
                create.create(self.settings, self.caller(name), {"upload_id": upload.id})
        return made

    def ask(self, name, body):
        """The new job, asked for twice with one key; nothing where it is refused."""
        caller, key = self.caller(name), f"key-{next(self.numbers)}"
        before = ledger.held(caller.owner)
        try:
            job, _ = create.create(self.settings, caller, body, key)
        except (Refusal, EngineError):
            assert ledger.held(caller.owner) == before
            return multiple()
        assert create.create(self.settings, caller, body, key)[0].id == job.id
        self.holds[job.id] = held_for(job.id)
        return job.id

    @rule(target=claims)
    def claim(self):
        job = claim.claim_next()
        return multiple(job) if job else multiple()

    @rule(
        job=consumes(claims) | claims,
        seconds=st.sampled_from(LENGTHS[1:]),
        fell_back=st.booleans(),
        stored=st.booleans(),
    )
    def succeed(self, job, seconds, fell_back, stored):
        """Whoever believes to run the job says that it is done: only the attempt that runs is heard."""
        runs = is_running(job)
        assert finish.succeed(self.settings, job, context(job, seconds, fell_back, stored), done(job)) == runs

    @rule(job=claims, code=st.sampled_from(("INTERNAL", "NETWORK", "CANCELLED")))
    def fail(self, job, code):
        runs = is_running(job)
        finish.fail(job, EngineError(code))
        if runs:
            assert Job.get_by_id(job.id).status == ("canceled" if code == "CANCELLED" else "failed")

    @rule(job_id=jobs)
    def cancel(self, job_id):
        before = Job.get_by_id(job_id).status
        cancel.request(job_id)
        after = Job.get_by_id(job_id)
        assert after.status == ("canceled" if before == "queued" else before)
        assert after.cancel_requested or before != "running"

    @rule(job=claims)
    def worker_stops(self, job):
        claim.requeue(job, "The service is restarting.", ATTEMPTS)

    @rule()
    def worker_dies(self):
        asked = {job.id for job in Job.select().where(Job.cancel_requested & (Job.status == "running"))}
        claim.release_orphans(ATTEMPTS)
        assert not Job.select().where(Job.status == "running").exists()
        assert all(Job.get_by_id(job_id).status == "canceled" for job_id in asked)

    @rule(days=st.sampled_from((1, 1, 31)))
    def time_passes(self, days):
        self.frozen.tick(timedelta(days=days))

    @rule(name=st.sampled_from(OWNERS[:2]), minutes=st.integers(1, 20))
    def grant(self, name, minutes):
        owner, cause = self.caller(name).owner, f"grant-{next(self.numbers)}"
        for _ in range(2):
            ledger.grant(owner, minutes * MICRO, cause)
        self.granted[owner] = self.granted.get(owner, 0) + minutes * MICRO

    @rule(name=st.sampled_from(OWNERS[:2]), plan=st.sampled_from(("free", "pro")))
    def change_plan(self, name, plan):
        users.set_plan(self.users[name], plan)
        self.plans_changed = True

    @invariant()
    def balances_balance(self):
        for name in OWNERS:
            caller = self.caller(name)
            lines = sum(
                row.amount
                for row in Entry.select().where((Entry.owner == caller.owner) & (Entry.unit == ledger.MINUTES))
            )
            charged = sum(charged_minutes(job) for job in Job.select().where(Job.owner == caller.owner))
            assert lines == self.granted.get(caller.owner, 0) - charged
            purses = caller.purses
            assert purses.topup() >= 0
            if not self.plans_changed:
                assert purses.included_left() + purses.topup() >= ledger.held(caller.owner)
                assert purses.used() <= purses.included[ledger.MINUTES]

    @invariant()
    def open_jobs_hold_what_they_were_quoted_and_no_others_hold_anything(self):
        still_open = {job.id: self.holds[job.id] for job in Job.select() if job.status in OPEN and self.holds[job.id]}
        assert {cause: held_for(cause) for cause in {hold.cause for hold in Hold.select()}} == still_open

    @invariant()
    def a_success_is_charged_once_and_nothing_else_is(self):
        for job in Job.select():
            lines = list(Entry.select().where(Entry.cause == job.id))
            if job.status != "succeeded":
                assert (job.charged_micro, lines) == (None, [])
                continue
            assert -sum(line.amount for line in lines if line.unit == ledger.MINUTES) == charged_minutes(job)
            assert charged_minutes(job) <= self.holds[job.id].get(ledger.MINUTES, 0)
            assert prices.shown(job.charged_micro) <= job.estimate["minutes"]
            assert all(line.amount < 0 for line in lines)
            assert len({line.unit for line in lines}) <= 1

    @invariant()
    def events_are_gapless_with_one_end(self):
        for job in Job.select():
            rows = list(Event.select().where(Event.job_id == job.id).order_by(Event.seq))
            assert [row.seq for row in rows] == list(range(1, job.events + 1))
            kinds = [row.type for row in rows]
            ends = [kind for kind in kinds if kind in TERMINAL]
            assert ends == ([kinds[-1]] if job.status in ENDED else [])
            assert (kinds[0], kinds.count("started")) == ("queued", job.attempt)
            assert job.attempt <= ATTEMPTS
            assert [json.loads(row.data)["type"] for row in rows] == kinds

    @invariant()
    def an_upload_is_bound_to_the_job_that_needs_it(self):
        for job in Job.select().where(Job.upload_id.is_null(False)):
            bound = Upload.get_or_none(Upload.job_id == job.id)
            assert (bound is not None) == (job.status in OPEN)


def is_running(job):
    row = Job.get_by_id(job.id)
    return (row.status, row.attempt) == ("running", job.attempt)


def held_for(job_id):
    return {hold.unit: hold.amount for hold in Hold.select().where(Hold.cause == job_id)}


def charged_minutes(job):
    """What a job took from its owner's minutes: captions of an anonymous caller take a caption job instead."""
    captions = job.estimate["tiers"] and "captions" in (job.title or "")
    return 0 if job.charged_micro is None or captions else job.charged_micro


def context(job, seconds, fell_back, stored):
    """A finished Context as far as its end reads it; the title says what ran, for `charged_minutes`."""
    layers = list(job.estimate["tiers"])
    if fell_back and job.may_listen:
        layers = ["audio" if layer == "captions" else layer for layer in layers]
    free = job.owner.startswith("anon:") and "captions" in layers
    return {
        "meta": {"durationSeconds": seconds, "title": "captions" if free else "a talk"},
        "synthesis": None,
        "tiers": [{"tier": layer, "status": "cached" if stored and not fell_back else "ok"} for layer in layers],
        "usage": {"usdEstimate": 0},
        "warnings": [],
    }


def done(job):
    return {"type": "done", "runId": job.id, "t": clock.now_ms(), "summary": {}}


def test_nothing_is_lost_or_doubled_in_any_order(settings, monkeypatch):
    monkeypatch.setattr(create, "facts_of_link", lambda _, request: Book.found[request.location])
    with freeze_time("2026-11-20T22:00:00Z") as frozen:
        Book.settings, Book.frozen, Book.found = settings, frozen, {}
        checks = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
        run_state_machine_as_test(
            Book,
            settings=hypothesis_settings(
                max_examples=EXAMPLES,
                stateful_step_count=STEPS,
                deadline=None,
                suppress_health_check=checks,
                derandomize=True,
            ),
        )
