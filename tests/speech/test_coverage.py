from svc.engine.speech.coverage import measure, with_lost
from svc.engine.transcript import Word


def test_what_could_not_be_read_is_a_gap_in_the_coverage():
    heard = measure([(0.0, 10.0)], [Word(str(second), second, second + 0.9) for second in range(10)])
    found = with_lost(heard, [(12.0, 20.0)])
    assert found.gaps == [(12.0, 20.0)] and found.transcribed_seconds / found.speech_seconds < 0.9
