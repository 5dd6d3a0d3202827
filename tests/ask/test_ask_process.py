import json

import pytest
from asking import context, segments

from svc.core.errors import EngineError
from svc.engine.process import EngineProcess, final_event
from svc.engine.request import Config, Request


def answered(folder, question, about, deadline=60):
    (folder / "ask.json").write_text(json.dumps({"question": question, "context": about}))
    with EngineProcess("ask", Request("file", "ask.json"), Config("models", str(folder))) as process:
        return final_event(process, deadline)


def test_a_process_of_its_own_answers(tmp_path):
    event = answered(tmp_path, "How hot is the oven?", context(segments(["The oven is hot.", "Bye now."])))
    assert (event["type"], event["answer"]) == ("answered", "At 0:00: “The oven is hot.”")
    assert event["citations"] == [{"start": 0, "end": 1.6, "text": "The oven is hot."}]
    assert event["usage"]["tokens"]["in"] == 0


def test_half_a_character_passes_the_pipe(tmp_path):
    assert answered(tmp_path, "\ud800", context(segments(["The \ud800 oven.", "Bye now."])))["answer"]


def test_an_answer_that_takes_too_long_is_cut_off(tmp_path):
    about = context(segments([f"word{number} alpha" for number in range(60_000)]))
    with pytest.raises(EngineError) as raised:
        answered(tmp_path, "Which alpha?", about, deadline=0)
    assert (raised.value.code, raised.value.stage) == ("TIMEOUT", "ask")
