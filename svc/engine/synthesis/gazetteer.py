"""Names whose kind is known: places from the time-zone database's tables, others from short lists."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

MORE_PLACES = (
    "America,Africa,Asia,Europe,Antarctica,Latin America,South America,North America,Middle East,United Kingdom,UK,US,U.S,U.S.A,"
    "Great Britain,England,Scotland,Wales,Northern Ireland,USA,United States of America,Soviet Union,South Korea,"
    "North Korea,Russia,Palestine,Kosovo,Alabama,Alaska,Arizona,Arkansas,California,Colorado,Connecticut,Delaware,"
    "Florida,Georgia,Hawaii,Idaho,Illinois,Indiana,Iowa,Kansas,Kentucky,Louisiana,Maine,Maryland,Massachusetts,"
    "Michigan,Minnesota,Mississippi,Missouri,Montana,Nebraska,Nevada,New Hampshire,New Jersey,New Mexico,New York City,"
    "North Carolina,North Dakota,Ohio,Oklahoma,Oregon,Pennsylvania,Rhode Island,South Carolina,South Dakota,Tennessee,"
    "Texas,Utah,Vermont,Virginia,Washington,West Virginia,Wisconsin,Wyoming,San Francisco,Boston,Seattle,Houston,"
    "Dallas,Philadelphia,Atlanta,Miami,San Diego,Las Vegas,Barcelona,Milan,Munich,Hamburg,Frankfurt,Cologne,Lyon,"
    "Marseille,Geneva,Florence,Venice,Naples,Osaka,Kyoto,Mumbai,Delhi,New Delhi,Bangalore,Beijing,Shenzhen,"
    "Rio de Janeiro,Montreal,Ottawa,Washington D.C,Silicon Valley,Wall Street,White House,Germany,Deutschland,"
    "Österreich,Schweiz,Frankreich,Italien,Spanien,Europa,Amerika,España,Francia,Alemania,Italia,México,Brasil,"
    "Estados Unidos,Perú,Allemagne,Espagne,Italie,États-Unis,Angleterre,Brésil,Afrique"
)
# Places of the table that are common words, or names of people as often.
NOT_PLACES = {"man", "center", "easter", "wake", "midway", "troll", "davis", "stanley", "casey", "knox", "jersey", "nome",
              "palmer", "noumea", "christmas", "chad", "jordan", "santiago", "nelson", "regina", "bay", "currie"}  # fmt: skip
ORGANIZATIONS = (
    "NASA,ESA,CERN,FBI,CIA,NSA,IRS,FDA,EPA,CDC,WHO,EU,UN,NATO,IMF,WTO,UNESCO,UNICEF,OPEC,BBC,CNN,NBC,ABC,CBS,PBS,NPR,"
    "MIT,IBM,BMW,SAP,AMD,Google,Microsoft,Apple,Amazon,Facebook,Meta,Netflix,Tesla,Nvidia,Intel,Samsung,Sony,Toyota,"
    "Volkswagen,Siemens,OpenAI,Anthropic,DeepMind,Mozilla,Oracle,Adobe,Spotify,Uber,Airbnb,PayPal,Stripe,Walmart,Boeing,"
    "Airbus,SpaceX,Twitter,Harvard,Stanford,Oxford,Yale,Princeton,Cambridge,Congress,Senate,Parliament,Pentagon,"
    "United Nations,European Union,European Commission,House of Representatives,Supreme Court,Federal Reserve,"
    "World Bank,Red Cross,Bundestag,Bundesrat,Bundesregierung,Hewlett-Packard,General Motors,Disney,Reuters,"
    "New York Times,Wall Street Journal,Washington Post,Guardian,GitHub,Naciones Unidas,Nations Unies,Vereinte Nationen"
)
PRODUCTS = (
    "YouTube,iPhone,iPad,Android,iOS,Windows,macOS,Linux,Ubuntu,Python,JavaScript,TypeScript,Kotlin,Docker,Kubernetes,"
    "Excel,PowerPoint,Photoshop,WhatsApp,Instagram,TikTok,LinkedIn,Slack,Zoom,Gmail,Chrome,Firefox,Safari,"
    "ChatGPT,GPT,Gemini,Alexa,Siri,PlayStation,Xbox,Nintendo Switch,Wikipedia,Bitcoin,Ethereum,PostgreSQL,MySQL,SQLite,"
    "TensorFlow,PyTorch,NumPy,React,Django,Flask,Node.js,Java,Raspberry Pi,Arduino,Photoshop,Blender,Minecraft"
)
FIRST_NAMES = frozenset(
    "James,John,Robert,Michael,William,David,Richard,Joseph,Thomas,Charles,Christopher,Daniel,Matthew,Anthony,Mark,"
    "Donald,Steven,Steve,Paul,Andrew,Joshua,Kenneth,Kevin,Brian,George,Edward,Ronald,Timothy,Jason,Jeffrey,Jeff,Ryan,Jacob,"
    "Gary,Nicholas,Eric,Jonathan,Stephen,Larry,Justin,Scott,Brandon,Benjamin,Samuel,Frank,Gregory,Raymond,Alexander,"
    "Patrick,Jack,Dennis,Jerry,Tom,Tim,Bill,Bob,Joe,Jim,Mike,Barack,Abraham,Elon,Albert,Isaac,Charlie,Henry,Peter,Adam,"
    "Mary,Patricia,Jennifer,Linda,Elizabeth,Barbara,Susan,Jessica,Sarah,Karen,Lisa,Nancy,Sandra,Ashley,Emily,Kimberly,"
    "Margaret,Donna,Michelle,Carol,Amanda,Melissa,Deborah,Stephanie,Rebecca,Laura,Sharon,Cynthia,Amy,Angela,Anna,Emma,"
    "Helen,Rachel,Maria,Julia,Kate,Alice,Jane,Hillary,Ada,Grace,Angela,Hans,Klaus,Jürgen,Wolfgang,Stefan,Andreas,Friedrich,"
    "Karl,Sabine,Petra,Ursula,Pierre,Jean,Marie,François,Emmanuel,Michel,Jacques,Sophie,Camille,José,Juan,Carlos,Luis,"
    "Miguel,Pedro,Antonio,Francisco,Manuel,Carmen,Isabel,Giovanni,Giuseppe,Marco,Luca,Francesca,Paolo,João,Priya,Wei,"
    "Mohammed,Muhammad,Ahmed,Ali,Fatima,Vladimir,Ivan,Sergei,Olga,Tomáš,Lars,Sven,Erik,Ingrid,Walter,Desmond,Winston".lower().split(",")
)
HONORIFICS = frozenset(
    "mr mrs ms miss dr prof professor president senator congressman congresswoman governor secretary general captain"
    " chancellor minister king queen prince princess pope sir lady lord judge justice speaker sergeant colonel"
    " herr frau kanzler kanzlerin bundeskanzler bundeskanzlerin präsident señor señora presidente presidenta"
    " monsieur madame président ministre signor signora doctor doktor".split()
)
ORGANIZATION_WORDS = frozenset(
    "inc corp corporation company ltd llc gmbh ag university universität universidad université college institute"
    " institut instituto bank committee congress senate department ministry ministerium ministerio ministère agency"
    " association foundation stiftung court council commission administration party partei partido parti union labs"
    " laboratory museum hospital school club office bureau force army navy guard reserve federation verein verband".split()
)
PLACE_WORDS = frozenset(
    "river street avenue island islands mountain mountains county valley lake ocean sea bay park square bridge airport"
    " coast desert peninsula".split()
)


# Listed names that are common words too: without capitals they say nothing.
COMMON_WORDS = frozenset(
    "abc adobe amazon apple blender cambridge chile chrome discovery excel flask gemini georgia guardian guinea intel java"
    " meta niger oracle oman react safari slack stripe turkey twitter uber us victoria who windows zoom mali lima"
    " washington phoenix bissau cyprus san juan perth nassau la paz tell city congress senate parliament virginia".split()
)


@cache
def known() -> dict[str, tuple[str, str]]:
    """By its lower-case form, each known name as it is written and its kind.

    Countries are those of iso3166.tab, cities the last parts of the zone names.
    """
    tables = files("tzdata").joinpath("zoneinfo")
    countries = [row[1].split(" (")[0] for row in rows(tables.joinpath("iso3166.tab").read_text("utf-8"))]
    zones = [row[2].split("/") for row in rows(tables.joinpath("zone.tab").read_text("utf-8"))]
    cities = [zone[1].replace("_", " ") for zone in zones if len(zone) == 2 and zone[0] != "Antarctica"]
    kinds = {
        "places": [*countries, *cities, *MORE_PLACES.split(",")],
        "organizations": ORGANIZATIONS.split(","),
        "products": PRODUCTS.split(","),
    }
    names = {name.lower(): (name, kind) for kind, listed in kinds.items() for name in listed}
    return {name: entry for name, entry in names.items() if name not in NOT_PLACES}


@cache
def spellings() -> re.Pattern[str]:
    """Finds the known names in a text without capitals, but for those that are common words."""
    names = sorted(known().keys() - COMMON_WORDS, key=len, reverse=True)
    return re.compile(r"(?<![\w'])(?:" + "|".join(map(re.escape, names)) + r")(?![\w])", re.IGNORECASE)


def spelled(text: str) -> str:
    """The text with its known names written as they usually are."""
    return spellings().sub(lambda match: known()[match.group().lower()][0], text)


def rows(table: str) -> list[list[str]]:
    return [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]


def kind_of(words: Sequence[str]) -> str | None:
    """The kind of a capitalised name, None when nothing tells it."""
    lower = [word.lower().rstrip(".") for word in words]
    if entry := known().get(" ".join(lower)):
        return entry[1]
    if len(words) < 2:
        return None
    if ORGANIZATION_WORDS & set(lower):
        return "organizations"
    if lower[0] in HONORIFICS or lower[0] in FIRST_NAMES:
        return "people"
    if lower[-1] in PLACE_WORDS:
        return "places"
    return "products" if is_model(words[-1]) else None


def is_model(word: str) -> bool:
    """Letters and digits together, as in a product's name."""
    return any(letter.isdigit() for letter in word) and any(letter.isalpha() for letter in word)
