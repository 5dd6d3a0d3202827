"""A real long transcript, and questions about it whose answers are known.

The words are those of the State of the Union address of 27 January 2010 (a work of the United States Government, in the
public domain), a segment a sentence, timed at the pace of a speech.
"""

import re
from pathlib import Path

WORDS_A_SECOND = 2.5

# What is asked, and words that a citation must hold for it to be answered.
KNOWN = {
    "When did the Allies land at Omaha Beach?": "the Allies first landed at Omaha Beach",
    "What happened on Bloody Sunday?": "marchers were beaten on Bloody Sunday",
    "How many Americans cannot find work?": "One in 10 Americans still cannot find work",
    "What was as popular as a root canal?": "about as popular as a root canal",
    "Who should pay a fee?": "I've proposed a fee on the biggest banks",
    "How much cheaper did health insurance get for families with COBRA?": "made health insurance 65 percent cheaper",
    "How many people work in construction and clean energy?": "Two hundred thousand work in construction",
    "What is the Recovery Act also known as?": "also known as the stimulus bill",
    "Where is the small business that will triple its workforce?": "the small business in Phoenix",
    "How many billion should go to community banks?": "we take $30 billion of the money",
    "Where will he visit tomorrow?": "Tomorrow I'll visit Tampa, Florida",
    "How many jobs were lost over the last two years?": "the 7 million jobs that we've lost",
    "What happens to a financial reform bill that fails the test?": "I will send it back until we get it right",
    "What does he say about nuclear power plants?": "a new generation of safe, clean nuclear power plants",
    "What is the new goal for exports?": "We will double our exports over the next 5 years",
    "Who is creating a movement against childhood obesity?": "our First Lady, Michelle Obama",
    "What did the Supreme Court do last week?": "the Supreme Court reversed a century of law",
    "What should lobbyists disclose?": "require lobbyists to disclose each contact",
    "When will combat troops be out of Iraq?": "out of Iraq by the end of this August",
    "When do Afghan forces take the lead?": "take the lead in July of 2011",
    "How many nations come together at the Nuclear Security Summit?": "we will bring 44 nations together",
    "What is done for the people of Haiti?": "help the people of Haiti recover and rebuild",
    "Why did the boy in Louisiana send his allowance?": "8-year-old boy in Louisiana",
    "Where do leaders meet to reaffirm the common purpose?": "come together tomorrow in London",
    "What does he propose for earmark requests?": "publish all earmark requests on a single web site",
    "Which law about gay Americans will be repealed?": "repeal the law that denies gay Americans",
}

# What the speech does not answer.
UNANSWERABLE = (
    "What did he say about the Moon landing?",
    "Who won the World Cup?",
    "What is the recipe for sourdough bread?",
    "How does photosynthesis work?",
    "What does Vladimir Putin want?",
    "When was the telephone invented?",
)


def lines() -> list[str]:
    text = Path(__file__).with_name("union_2010.txt").read_text("utf-8")
    return re.split(r"(?<=[.!?])\s+", " ".join(text.split()))


def caption_lines(words: int = 8) -> list[str]:
    """The same as automatic captions have it: a few lower-case words a line, without punctuation."""
    plain = re.sub(r"[^\w\s'$%-]", "", " ".join(lines())).lower().split()
    return [" ".join(plain[at : at + words]) for at in range(0, len(plain), words)]
