"""Any order of creations, claims, ends, cancels, crashes and new days: nothing is lost, nothing counts twice."""

import itertools
from collections import defaultdict
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
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from svc.accounts import ledger, users
from svc.accounts.caller import Caller
from svc.accounts.ledger import AUDIO, CAPTION_CREDITS, CAPTION_JOBS, MINUTES, TOPUP
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

EXAMPLES, STEPS = 100, 40
ATTEMPTS = 3
MANY = 1000
START = "2026-11-20T22:00:00Z"
LENGTHS = st.sampled_from((None, 1.0, 2.5, 61.0, 599.999))
MEASURED = st.sampled_from((1.0, 2.504, 60.999, 599.999))
ACCOUNTS = st.sampled_from(("ann", "bob"))
CALLERS = st.sampled_from(("ann", "bob", "anonymous"))
ENDS = st.sampled_from(("done", "done, listened instead", "done, was stored", "INTERNAL", "NETWORK", "CANCELLED"))


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
    """Three callers and their jobs; after every step the rows are judged.

    `holds` is what each job held when it was made, `prices` what each success costs, `granted` what was given.
    """

    settings: Settings
    frozen = None
    sources: dict[str, Facts] = {}
    jobs = Bundle("jobs")
    claims = Bundle("claims")

    def __init__(self):
        super().__init__()
        self.frozen.move_to(START)
        for model in (*JOB_MODELS, *ACCOUNT_MODELS):
            model.delete().execute()
        self.users = {name: users.create(f"{name}@example.com") for name in ("ann", "bob")}
        self.numbers = itertools.count()
        self.granted = defaultdict(int)
        self.holds, self.prices = {}, {}
        self.same_plans = True

    def caller(self, name):
        if name == "anonymous":
            return Caller("anon:x", "anonymous", self.settings.limits.anonymous)
        plan = users.plan_of(self.users[name])
        return Caller(users.owner_of(self.users[name]), plan, self.settings.limits.plan(plan), self.users[name])

    @rule(
        target=jobs,
        name=CALLERS,
        content=st.integers(1, 3),
        mode=st.sampled_from(("auto", "captions", "audio")),
        seconds=LENGTHS,
        captions=st.booleans(),
        provider=st.sampled_from(("generic", "videosite")),
        options=st.sampled_from(({}, {"proofread": "full"}, {"detail": "transcript"})),
    )
    def ask_for_a_link(self, name, content, mode, seconds, captions, provider, options):
        url = f"https://site.example/{content}.mp4"
        tracks = [Track("en", "manual")] if captions else []
        source = {"provider": provider, "url": url}
        self.sources[url] = Facts(source, {}, f"{provider}:{content}", seconds, True, True, tracks)
        return self.ask(name, {"url": url, "mode": mode, "options": options})

    @rule(target=jobs, name=CALLERS, seconds=LENGTHS)
    def ask_with_an_upload(self, name, seconds):
        caller, now = self.caller(name), clock.now_ms()
        facts = Facts({"provider": "local"}, {}, f"local:{next(self.numbers)}", seconds, True, False).to_json()
        upload = Upload.create(
            id=make_id("upl"), owner=caller.owner, bytes=1, facts=facts, created_at=now, expires_at=now + 3_600_000
        )
        made = self.ask(name, {"upload_id": upload.id})
        if Upload.get_by_id(upload.id).job_id:
            with pytest.raises(Refusal, match="upload_in_use"):
                create.create(self.settings, caller, {"upload_id": upload.id})
        return made

    def ask(self, name, body):
        """The new job, asked for twice with one key; none when it is refused."""
        self.frozen.tick()
        caller, key = self.caller(name), f"key-{next(self.numbers)}"
        try:
            job, _ = create.create(self.settings, caller, body, key)
        except (Refusal, EngineError):
            return multiple()
        again, replayed = create.create(self.settings, caller, body, key)
        assert (again.id, replayed) == (job.id, True)
        self.holds[job.id] = {hold.unit: hold.amount for hold in Hold.select().where(Hold.cause == job.id)}
        return job.id

    @rule(target=claims)
    def workers_look_for_work(self):
        return multiple(*itertools.takewhile(bool, (claim.claim_next() for _ in range(3))))

    @rule(job=claims, end=ENDS, seconds=MEASURED)
    def a_run_ends(self, job, end, seconds):
        self.end(job, end, seconds)

    @rule(ends=st.lists(ENDS, min_size=1, max_size=4), seconds=MEASURED)
    def jobs_run(self, ends, seconds):
        for end in ends:
            if job := claim.claim_next():
                self.end(job, end, seconds)

    def end(self, job, how, seconds):
        """Whoever believes to run the job says how it ended. Only the attempt that runs is heard."""
        before = Job.get_by_id(job.id)
        heard = (before.status, before.attempt) == ("running", job.attempt)
        if how in ENGINE_ERRORS:
            finish.fail(job, EngineError(how))
        else:
            made = context(job, how, seconds)
            assert finish.succeed(self.settings, job, made, done(job)) == heard
            if heard:
                self.prices[job.id] = price(job, made)
        ended = {"CANCELLED": "canceled"}.get(how, "failed" if how in ENGINE_ERRORS else "succeeded")
        assert Job.get_by_id(job.id).status == (ended if heard else before.status)

    @rule(job_id=jobs)
    def the_caller_cancels(self, job_id):
        before = Job.get_by_id(job_id).status
        cancel.request(job_id)
        after = Job.get_by_id(job_id)
        assert after.status == ("canceled" if before == "queued" else before)
        assert after.cancel_requested or before != "running"

    @rule(job=claims, dies=st.booleans())
    def the_caller_cancels_before_the_worker_goes(self, job, dies):
        self.the_caller_cancels(job.id)
        self.the_worker_dies() if dies else self.the_worker_stops(job)

    @rule(job=claims)
    def the_worker_stops(self, job):
        before = Job.get_by_id(job.id)
        claim.requeue(job, "The service is restarting.", ATTEMPTS)
        if before.status == "running" and before.attempt == job.attempt:
            given_up = "canceled" if before.cancel_requested else "failed" if job.attempt == ATTEMPTS else "queued"
            assert Job.get_by_id(job.id).status == given_up

    @rule()
    def the_worker_dies(self):
        unwanted = [job.id for job in Job.select().where(Job.cancel_requested & (Job.status == "running"))]
        claim.release_orphans(ATTEMPTS)
        assert not Job.select().where(Job.status == "running").exists()
        assert all(Job.get_by_id(job_id).status == "canceled" for job_id in unwanted)

    @rule(days=st.sampled_from((1, 31)))
    def time_passes(self, days):
        self.frozen.tick(timedelta(days=days))

    @initialize()
    def everybody_has_bought_something(self):
        for name in ("ann", "bob"):
            self.the_operator_grants(name, 5 * MICRO, MINUTES)
            self.the_operator_grants(name, 1, CAPTION_CREDITS)

    @rule(name=ACCOUNTS, amount=st.integers(1, 20 * MICRO), unit=st.sampled_from((MINUTES, CAPTION_CREDITS)))
    def the_operator_grants(self, name, amount, unit):
        cause = f"grant-{next(self.numbers)}"
        for _ in range(2):
            ledger.grant(self.caller(name).owner, amount, cause, unit)
        self.granted[unit] += amount

    @rule(name=ACCOUNTS, plan=st.sampled_from(("free", "pro")))
    def the_plan_changes(self, name, plan):
        users.set_plan(self.users[name], plan)
        self.same_plans = False

    @invariant()
    def all_is_well(self):
        self.jobs_now = list(Job.select())
        self.lines = defaultdict(list)
        for line in Entry.select():
            self.lines[line.cause].append(line)
        self.holds_are_those_of_open_jobs()
        self.each_success_is_charged_once()
        self.balances_balance()
        self.events_are_gapless_with_one_end()
        self.uploads_are_bound_while_they_are_needed()

    def holds_are_those_of_open_jobs(self):
        found = defaultdict(dict)
        for hold in Hold.select():
            found[hold.cause][hold.unit] = hold.amount
        still_open = [job.id for job in self.jobs_now if job.status in OPEN]
        assert found == {job_id: self.holds[job_id] for job_id in still_open if self.holds[job_id]}

    def each_success_is_charged_once(self):
        for job in self.jobs_now:
            lines = self.lines[job.id]
            if job.status != "succeeded":
                assert (job.charged_micro, lines) == (None, [])
                continue
            assert [line.amount for line in lines if line.unit == AUDIO] == [-1000 * job.media_seconds]
            charges = [line for line in lines if line.unit != AUDIO]
            used = {line.unit: -sum(other.amount for other in charges if other.unit == line.unit) for line in charges}
            assert all(amount <= self.holds[job.id][unit] for unit, amount in used.items())
            assert job.charged_micro == self.prices[job.id]
            assert prices.shown(job.charged_micro) <= job.estimate["minutes"]
            assert used in ({MINUTES: job.charged_micro}, {CAPTION_JOBS: 1}, {CAPTION_CREDITS: 1}, {})
            assert used or not job.charged_micro

    def balances_balance(self):
        """All that was granted and not charged is there; nobody has less than nothing, or less than is held."""
        granted, balances = defaultdict(int), defaultdict(int)
        for line in itertools.chain(*self.lines.values()):
            balances[line.owner, line.purse, line.unit] += line.amount
            if line.cause.startswith("grant-"):
                granted[line.unit] += line.amount
        assert granted == self.granted
        for name, unit in itertools.product(("ann", "bob", "anonymous"), (MINUTES, CAPTION_CREDITS, CAPTION_JOBS)):
            purses = self.caller(name).purses
            used, bought = -balances[purses.owner, purses.period, unit], balances[purses.owner, TOPUP, unit]
            left = purses.included.get(unit, 0) - used
            held = sum(self.holds[job.id].get(unit, 0) for job in self.jobs_now if self.is_open(job, purses.owner))
            assert bought >= 0
            assert not self.same_plans or (left >= 0 and left + bought >= held)

    def is_open(self, job, owner):
        return job.owner == owner and job.status in OPEN

    def teardown(self):
        """What callers are shown agrees with the lines."""
        for name, unit in itertools.product(("ann", "bob"), (MINUTES, CAPTION_CREDITS)):
            purses = self.caller(name).purses
            mine = [
                line
                for line in itertools.chain(*self.lines.values())
                if (line.owner, line.unit) == (purses.owner, unit)
            ]
            assert purses.topup(unit) == sum(line.amount for line in mine if line.purse == TOPUP)
            assert purses.used(unit) == -sum(line.amount for line in mine if line.purse == purses.period)

    def events_are_gapless_with_one_end(self):
        found = defaultdict(list)
        for job_id, seq, kind in Event.select(Event.job_id, Event.seq, Event.type).order_by(Event.seq).tuples():
            found[job_id].append((seq, kind))
        for job in self.jobs_now:
            numbers, kinds = zip(*found[job.id], strict=True)
            assert numbers == tuple(range(1, job.events + 1))
            assert [kind for kind in kinds if kind in TERMINAL] == ([kinds[-1]] if job.status in ENDED else [])
            assert (kinds[0], kinds.count("started")) == ("queued", job.attempt)
            assert job.attempt <= ATTEMPTS

    def uploads_are_bound_while_they_are_needed(self):
        bound = {upload.job_id for upload in Upload.select() if upload.job_id}
        needed = {job.id for job in self.jobs_now if job.upload_id and job.status in (*OPEN, "succeeded")}
        assert bound == needed


ENGINE_ERRORS = ("INTERNAL", "NETWORK", "CANCELLED")


def context(job, how, seconds):
    """A finished Context as far as the end of a job reads it."""
    layers = list(job.estimate["tiers"])
    if how == "done, listened instead" and job.may_listen:
        layers = ["audio" if layer == "captions" else layer for layer in layers]
    status = "cached" if how == "done, was stored" else "ok"
    return {
        "meta": {"durationSeconds": seconds},
        "synthesis": None,
        "transcript": {"proofread": job.options.get("proofread", "none")},
        "tiers": [{"tier": layer, "status": status} for layer in layers],
        "usage": {"usdEstimate": 0, "audioSeconds": seconds},
        "warnings": [],
    }


def price(job, made):
    """What a job costs: for the layers that ran, as long as the media is, but not longer than was known."""
    ran = [tier["tier"] for tier in made["tiers"]]
    if job.estimate["charges_as"] == "caption-item" and "captions" in ran:
        return 0
    quoted = job.max_seconds if job.facts["duration"] is None else job.facts["duration"]
    proofread = job.options.get("proofread") == "full" and "audio" in ran
    return prices.charge(ran, min(made["meta"]["durationSeconds"], quoted), proofread)


def done(job):
    return {"type": "done", "runId": job.id, "t": clock.now_ms(), "summary": {}}


def test_nothing_is_lost_or_doubled_in_any_order(settings, monkeypatch):
    monkeypatch.setattr(create, "facts_of_link", lambda _, request: Book.sources[request.location])
    with freeze_time(START) as frozen:
        Book.settings, Book.frozen = settings, frozen
        checks = hypothesis_settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        run_state_machine_as_test(Book, settings=checks)
