"""Turns of speech by language: what to trim from a sentence, what makes it depend on others, what it announces.

Everything here only chooses and trims sentences that were said; nothing of it is ever added to a text.
"""

import re
from dataclasses import dataclass, field


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def pattern(text: str) -> re.Pattern[str]:
    """One alternative a line, each standing as whole words."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return re.compile(r"(?:(?<!\w)(?:" + "|".join(lines) + r")(?!\w))", re.IGNORECASE)


NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class Phrases:
    """`leads` may be cut from the front of a sentence, the longest first; one that then begins with a word of
    `dependent` leans on the sentence before it. A new clause begins with `clauses`, less surely with `subjects`.
    `pronouns` stand before verbs, `links` inside noun phrases; `vague` words are no topic by themselves.
    """

    fillers: frozenset[str] = frozenset()
    leads: tuple[str, ...] = ()
    dependent: frozenset[str] = frozenset()
    clauses: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    vague: frozenset[str] = frozenset()
    conjunction: str | None = None
    announcement: re.Pattern[str] = NEVER
    housekeeping: re.Pattern[str] = NEVER
    moments: dict[str, re.Pattern[str]] = field(default_factory=dict)


def leads(text: str) -> tuple[str, ...]:
    return tuple(sorted((line.strip() for line in text.split(",")), key=len, reverse=True))


NONE = Phrases()

ENGLISH = Phrases(
    fillers=words("um uh umm uhh erm er ah hm hmm mhm"),
    leads=leads(
        "um, uh, umm, uhh, erm, er, ah, hm, hmm, oh, well, so, and, but, okay, ok, right, now, yeah, yes, yep, no, all right,"
        " alright, you know, i mean, i think, like, look, see, listen, anyway, actually, basically, in fact, of course,"
        " and so, so yeah, and then, so then, again, great, therefore, thus, also, because, cause, by the way,"
        " for example, for instance, in other words, first of all, as i said, on top of that, finally, clearly, obviously"
    ),
    dependent=words(
        "it its it's he he's his she she's her they they're they've their them this that that's these those there's such let let's"
        " then or nor which who whose where when otherwise instead however moreover furthermore both neither here's one"
    ),
    clauses=words("and but so because now then okay well however also"),
    subjects=words("i we you he she they it there if when this that what here let's let in the i'm we're you're it's that's i'll we'll"),
    pronouns=words(
        "i you he she it we they who to will would can could shall should must may might cannot don't doesn't didn't"
        " won't let's i'm we're you're they're not i'll we'll you'll they'll i've we've you've never"
    ),
    links=words("of for in the"),
    vague=words("people thing things time times day days week weeks month months year years hour hours minute minutes dollar dollars lot bit guy guys kind sort question percent person today tonight"),
    conjunction="and",
    announcement=pattern(r"""
        in this (?:video|talk|episode|lecture|lesson|tutorial|course|session|presentation|chapter)
        today(?:,)? (?:we|i|i'm|we're|i'll|we'll)
        (?:we're|we are|i'm|i am) going to (?:talk|look|learn|show|see|discuss|build|explain|cover)
        (?:i|we) (?:want|wanted|would like) to (?:talk|show|tell|explain|discuss)
        the (?:key|main) (?:benefit|point|idea|reason|takeaway|thing|message|problem|purpose)
        the purpose of
        in (?:summary|short|conclusion)
    """),
    housekeeping=pattern(r"""
        subscribe
        (?:like|bell) button
        thank you|thanks
        welcome(?: back)?
        my name is
        see you
        sponsor(?:s|ed)?
        hit the
        good (?:morning|evening|afternoon|night)
        bye
        let me know
        ladies and gentlemen
        god bless
    """),
    moments={
        "cta": pattern(r"""
            subscribe|sign up|(?:click|hit) the (?:link|bell|like|button)|link in the description
            check (?:it )?out (?:the|our|my)|leave (?:me )?a comment|download (?:the|our|it)|visit (?:our|us|my)
            (?:i|we) (?:urge|ask|call (?:on|upon)) (?:you|congress|this congress|every|all|both|members|the)
            please (?:check|ask|send|call|join|share|visit|do|review|pass|make|try)
            send me (?:a|the|your)|get your|join us|register (?:now|today|at)|contact us
        """),
        "decision": pattern(r"""
            (?:we|i)(?:'ve| have)? (?:decided|agreed|chose|concluded|settled on)
            let's go with|the decision (?:is|was)|we(?:'ll| will) go with|(?:it's|it is|that's) decided
            action items?|agreed|(?:i|we)(?:'m| am|'re| are) (?:announcing|launching|signing)
            next steps? (?:is|are)|(?:i|we) have (?:signed|ordered|appointed|directed)
            i'll (?:prepare|send|do that|write|take care of)
        """),
        "demo": pattern(r"""
            (?:let me|i'll|i will|i want to|i'm going to|we'll) (?:show|demonstrate|walk (?:you )?through)
            as you can see|(?:here )?you(?:'ll| can| will)? see (?:here|that|how)|on (?:the|my|your) screen
            let's (?:take a look|look at|see|try|rewrite|run|open|start with|do the)|if (?:i|we|you) (?:run|click|press|open)
            watch (?:this|what)|notice (?:how|that|what)|over here|here's how
        """),
        "claim": pattern(r"""
            the (?:most|best|worst|biggest|largest|greatest|highest|lowest|first|only|key|main|real) \w+
            (?:studies|research|evidence|data|experts|surveys?) (?:shows?|suggests?|found|say)
            for the first time|more than (?:half|a|any|\d)|because of|the (?:reason|truth|fact|problem|result) is
            (?:percent|million|billion|trillion|thousand)
            (?:always|never) (?:be|been|has|have|was|were|is)|very important|it turns out
        """),
        "quote": pattern(r"""
            (?:as )?\w+ (?:once )?(?:said|wrote|put it|told (?:us|me))
            in the words of|(?:and )?i quote
        """),
    },
)

GERMAN = Phrases(
    fillers=words("äh ähm öh öhm hm hmm mhm eh"),
    leads=leads(
        "äh, ähm, hm, ja, nein, und, aber, also, so, nun, na ja, naja, okay, genau, gut, denn, sozusagen, ich meine,"
        " wie gesagt, und dann, ja also, jetzt, eben"
    ),
    dependent=words(
        "das dies diese dieser dieses es er sie ihr sein seine deren dessen dann da dabei damit dafür dazu davon deshalb"
        " deswegen daher dadurch darum jene solche der die oder sondern"
    ),
    clauses=words("und aber also dann denn jetzt weil"),
    subjects=words("ich wir du er sie es das man wenn ihr hier heute"),
    pronouns=words("ich du er wir ihr zu wird werden kann können soll sollte muss müssen nicht"),
    links=words("der des von für und"),
    vague=words("menschen leute ding dinge zeit tag tage woche wochen monat monate jahr jahre jahren stunde stunden minute minuten euro frage prozent person heute beispiel"),
    conjunction="und",
    announcement=pattern(r"""
        in diesem (?:video|vortrag|kapitel|kurs)|in dieser (?:folge|sendung|vorlesung|episode)
        heute (?:geht es|sprechen|zeige|möchte|wollen|schauen|reden)|(?:zusammengefasst|kurz gesagt|im wesentlichen)
        (?:wir|ich) (?:wollen|möchten|möchte|will|werden|werde) (?:\w+ )?(?:sprechen|zeigen|erklären|anschauen|reden)
    """),
    housekeeping=pattern(r"""
        abonnier\w*|willkommen|danke\w*|vielen dank|guten (?:morgen|tag|abend)|tschüss|bis zum nächsten
        mein name ist|daumen hoch|sponsor\w*|meine damen und herren|schön,? dass
    """),
    moments={
        "cta": pattern(r"abonnier\w*|link in der beschreibung|schreibt (?:mir|uns|es)|ladet|besucht|meldet euch|bitte \w+t"),
        "decision": pattern(r"(?:haben|hat|habe) (?:\w+ ){0,6}(?:entschieden|beschlossen)|wir (?:entscheiden|beschließen)|einigen"),
        "demo": pattern(r"(?:ich zeige|schauen wir|wie (?:ihr|sie|man) (?:hier )?(?:seht|sehen|sieht)|hier (?:seht|sehen))"),
        "claim": pattern(r"""
            (?:die|der|das) (?:wichtigste|größte|beste|erste|einzige|häufigste|schlimmste)\w*
            prozent|millionen|milliarden|zum ersten mal|mehr als|studien zeigen|entscheidend|am (?:meisten|wichtigsten)
        """),
        "quote": pattern(r"\w+ (?:sagte|schrieb|meinte)|zitat|ich zitiere"),
    },
)

SPANISH = Phrases(
    fillers=words("eh em este mmm hm"),
    leads=leads(
        "eh, bueno, pues, y, pero, entonces, así que, o sea, es decir, claro, vale, mira, sí, no, ahora, y entonces,"
        " pues bien, además"
    ),
    dependent=words(
        "esto eso esta ese este estos esos estas esas él ella ellos ellas ello lo la le les su sus también tampoco luego"
        " o que quien cual donde"
    ),
    clauses=words("y pero entonces porque ahora pues así"),
    subjects=words("yo nosotros ustedes él ella esto eso si cuando hay aquí"),
    pronouns=words("yo tú él ella nosotros ustedes ellos se me te nos no puede pueden va vamos"),
    links=words("de del la los las el para en"),
    vague=words("persona personas gente cosa cosas tiempo vez veces día días semana semanas mes meses año años hora horas minuto minutos euros dólares hoy ejemplo"),
    conjunction="y",
    announcement=pattern(r"""
        en este (?:vídeo|video|curso|capítulo|episodio)|en esta (?:clase|charla|lección|ocasión)
        hoy (?:vamos|voy|quiero|hablaremos|veremos)|(?:vamos|voy) a (?:hablar|ver|mostrar|explicar|aprender)|en resumen
    """),
    housekeeping=pattern(r"""
        suscr\w+|bienvenid\w+|gracias|buen(?:os|as) (?:días|tardes|noches)|me llamo|mi nombre es|hasta (?:luego|la próxima)
        patrocin\w+|dale a|señoras y señores
    """),
    moments={
        "cta": pattern(r"suscr[íi]b\w+|enlace en la descripción|dej(?:a|en|ad) (?:un|tu|su) comentario|descarg(?:a|uen|ad)|visit(?:a|en)"),
        "decision": pattern(r"(?:hemos|he|han) (?:decidido|acordado)|decid(?:í|imos|ieron)|vamos a (?:optar|quedarnos)|queda decidido"),
        "demo": pattern(r"como (?:puedes|pueden|podéis|podemos) ver|les muestro|te muestro|vamos a ver|aquí (?:vemos|tenemos|se ve)|en (?:la )?pantalla"),
        "claim": pattern(r"""
            (?:el|la|lo|los|las) (?:más|mayor|mejor|peor|primer|primera|única|único) \w+
            por ciento|millones|mil millones|por primera vez|más de|los estudios|es muy importante|fundamental
        """),
        "quote": pattern(r"(?:como )?(?:dijo|dice|escribió|decía)|entre comillas|cito"),
    },
)

FRENCH = Phrases(
    fillers=words("euh heu hum ben bah hein"),
    leads=leads(
        "euh, heu, ben, bah, et, mais, donc, alors, bon, voilà, eh bien, enfin, oui, non, du coup, en fait, et puis,"
        " et donc, maintenant, or, car, bref"
    ),
    dependent=words(
        "ça cela ce c'est cet cette ces ceci il elle ils elles on son sa ses leur leurs lui y en puis ensuite aussi"
        " ou qui que dont où celui celle"
    ),
    clauses=words("et mais donc alors parce car maintenant puis"),
    subjects=words("je nous vous il elle ils on ça c'est si quand ici"),
    pronouns=words("je tu il elle nous vous ils elles on se ne pas peut peuvent va vont doit"),
    links=words("de des du la le les pour en l d"),
    vague=words("personne personnes gens chose choses temps fois jour jours semaine semaines mois an ans année années heure heures minute minutes euros aujourd'hui exemple"),
    conjunction="et",
    announcement=pattern(r"""
        dans cette (?:vidéo|leçon|émission|conférence)|dans ce (?:cours|chapitre|podcast)
        aujourd'hui,? (?:on|nous|je)|(?:nous allons|on va|je vais) (?:parler|voir|montrer|expliquer|apprendre)|en résumé
    """),
    housekeeping=pattern(r"""
        abonne\w*|bienvenue|merci|bonjour|bonsoir|au revoir|à bientôt|je m'appelle|sponsor\w*|mesdames et messieurs
        pouce bleu
    """),
    moments={
        "cta": pattern(r"abonnez-vous|lien (?:est )?(?:en|dans la) description|laissez (?:un|vos) commentaires?|téléchargez|cliquez"),
        "decision": pattern(r"(?:nous avons|on a|j'ai|ont) (?:décidé|choisi|convenu)|la décision|on part sur|c'est décidé"),
        "demo": pattern(r"comme vous (?:pouvez )?(?:le )?(?:voir|voyez)|je vous montre|regardons|on voit (?:ici|que)|à l'écran"),
        "claim": pattern(r"""
            (?:le|la|les) (?:plus|meilleur|meilleure|pire|premier|première|seul|seule) \w+
            pour cent|millions?|milliards?|pour la première fois|plus de|les études|très important|essentiel(?:le)?
        """),
        "quote": pattern(r"(?:comme )?(?:disait|a dit|écrivait|a écrit)|je cite|entre guillemets"),
    },
)

ITALIAN = Phrases(
    fillers=words("ehm eh mmm uhm"),
    leads=leads("ehm, eh, allora, e, ma, quindi, dunque, beh, bene, cioè, ecco, sì, no, insomma, poi, ora, adesso"),
    dependent=words("questo questa questi queste quello quella ciò esso lui lei loro suo sua anche poi o che chi cui dove"),
    clauses=words("e ma quindi allora perché poi adesso ora"),
    subjects=words("io noi voi lui lei questo se quando qui"),
    pronouns=words("io tu lui lei noi voi loro si ci vi non può possono deve"),
    links=words("di del della dei delle degli dell in per la il"),
    vague=words("persona persone gente cosa cose tempo volta volte giorno giorni settimana mese mesi anno anni ora ore minuto minuti euro oggi esempio"),
    conjunction="e",
    announcement=pattern(r"in questo (?:video|corso|episodio)|oggi (?:parliamo|vediamo|vi|andiamo|voglio)|in sintesi"),
    housekeeping=pattern(r"iscriv\w+|benvenut\w+|grazie|buon(?:giorno|asera)|ciao|mi chiamo|alla prossima|sponsor\w*"),
    moments={
        "cta": pattern(r"iscrivetevi|iscriviti|link in descrizione|lasciate un commento|scaricate|visitate"),
        "decision": pattern(r"(?:abbiamo|ho|hanno) deciso|è deciso|la decisione"),
        "demo": pattern(r"come (?:potete|puoi) vedere|vi mostro|vediamo|sullo schermo"),
        "claim": pattern(r"(?:il|la|lo|i|le) (?:più|migliore|peggiore|primo|prima) \w+|per cento|milioni|miliardi|per la prima volta|più di"),
        "quote": pattern(r"(?:come )?(?:disse|diceva|ha detto|scrisse)|cito"),
    },
)

PORTUGUESE = Phrases(
    fillers=words("é eh hum ahn hã"),
    leads=leads("eh, então, e, mas, bom, bem, pois, né, olha, sim, não, agora, aí, enfim, quer dizer, ou seja, portanto"),
    dependent=words("isso isto esse essa este esta eles elas ele ela seu sua também depois ou que quem onde aquilo"),
    clauses=words("e mas então porque agora aí"),
    subjects=words("eu nós você vocês ele ela isso se quando aqui"),
    pronouns=words("eu tu ele ela nós você vocês eles elas se não pode podem vai vamos"),
    links=words("de do da dos das para em o a"),
    vague=words("pessoa pessoas gente coisa coisas tempo vez vezes dia dias semana mês meses ano anos hora horas minuto minutos reais euros hoje exemplo"),
    conjunction="e",
    announcement=pattern(r"neste (?:vídeo|curso|episódio)|nesta aula|hoje (?:vamos|vou|eu|nós)|em resumo"),
    housekeeping=pattern(r"inscrev\w+|bem-vind\w+|obrigad\w+|bo(?:m dia|a tarde|a noite)|tchau|meu nome é|patrocin\w+"),
    moments={
        "cta": pattern(r"inscreva-se|se inscreva|link na descrição|deixe (?:um|seu) comentário|baixe|visite"),
        "decision": pattern(r"(?:decidimos|decidi|decidiram|combinamos)|ficou decidido|a decisão"),
        "demo": pattern(r"como (?:você|vocês) (?:pode|podem) ver|vou mostrar|vamos ver|na tela"),
        "claim": pattern(r"(?:o|a|os|as) (?:mais|maior|melhor|pior|primeiro|primeira|único) \w+|por cento|milhões|bilhões|pela primeira vez|mais de"),
        "quote": pattern(r"(?:como )?(?:disse|dizia|escreveu)|abre aspas"),
    },
)

DUTCH = Phrases(
    fillers=words("eh ehm uh uhm hm"),
    leads=leads("eh, ehm, uh, dus, en, maar, nou, nou ja, ja, nee, oké, goed, want, zeg maar, eigenlijk, toen"),
    dependent=words("het dit dat deze die hij zij ze hun haar zijn dan daar daarom daarna of ook er wie wat"),
    clauses=words("en maar dus want omdat nu dan"),
    subjects=words("ik we wij je hij ze dat dit als er hier"),
    pronouns=words("ik je jij hij ze we wij jullie te kan kunnen zal moet moeten niet"),
    links=words("van de het voor in"),
    vague=words("mensen ding dingen tijd keer dag dagen week weken maand maanden jaar jaren uur minuten euro vandaag voorbeeld"),
    conjunction="en",
    announcement=pattern(r"in deze (?:video|les|aflevering|lezing)|vandaag (?:gaan|ga|wil|kijken|hebben)|kortom|samengevat"),
    housekeeping=pattern(r"abonneer\w*|welkom|bedankt|dank (?:u|je)|goede(?:morgen|middag|navond)|tot de volgende|sponsor\w*"),
    moments={
        "cta": pattern(r"abonneer|link in de beschrijving|laat een reactie|download|bezoek"),
        "decision": pattern(r"(?:hebben|heb|heeft) (?:\w+ ){0,6}(?:besloten|afgesproken)|het besluit"),
        "demo": pattern(r"zoals je (?:kunt|kan) zien|ik laat (?:je|jullie|u)|laten we kijken|op het scherm"),
        "claim": pattern(r"de (?:belangrijkste|grootste|beste|eerste|enige) \w+|procent|miljoen|miljard|voor het eerst|meer dan"),
        "quote": pattern(r"\w+ (?:zei|schreef)|citaat"),
    },
)

OF = {
    "en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH, "it": ITALIAN, "pt": PORTUGUESE, "nl": DUTCH,
}  # fmt: skip
