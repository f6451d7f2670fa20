"""Words and clauses that templates share: each class lists its choices, which may contain slots themselves."""

from typing import Final

_TIME: Final = {
    "weekday": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "month": (
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ),
    "season": ("spring", "summer", "autumn", "winter"),
    "daytime": ("morning", "afternoon", "evening"),
    "when": (
        "on {weekday}", "on {weekday} {daytime}", "last week", "earlier this month", "in {month}", "last {month}",
        "this {daytime}", "at the weekend", "in {month} {year}", "two days ago", "late on {weekday}", "last {season}",
        "in early {month}", "on {month} {small}", "overnight",
    ),
    "soon": (
        "on {weekday}", "next week", "in {month}", "by the end of {month}", "tomorrow", "next {weekday}",
        "in {small} days", "before the {season}", "later this year", "on {month} {small}",
    ),
    "since": ("since {month}", "since {year}", "in {small} years", "in more than a decade"),
}  # fmt: skip

_PEOPLE: Final = {
    "speaker": ("spokesman", "spokeswoman", "director", "chairman", "president", "official", "lawyer", "adviser"),
    "office": ("Prime Minister", "President", "Foreign Minister", "Finance Minister", "Chancellor", "Ambassador"),
    "honour": ("Judge", "Senator", "Mayor", "Governor", "General", "Professor", "Dr.", "Captain"),
    "role": (
        "CEO", "CFO", "chief executive", "managing director", "head of research", "chief economist", "founder",
        "general manager", "vice president", "head of sales",
    ),
    "job": (
        "teacher", "nurse", "farmer", "engineer", "student", "lawyer", "writer", "painter", "driver", "chemist",
        "designer", "journalist", "pilot", "shopkeeper",
    ),
    "athlete": ("striker", "goalkeeper", "captain", "defender", "midfielder", "coach", "manager", "winger"),
    "title": ("Mr.", "Mrs.", "Ms.", "Dr.", "Prof."),
    "kin": ("mother", "brother", "sister", "cousin", "aunt", "boss", "neighbour", "landlord", "friend", "colleague"),
    "crowd": ("residents", "workers", "students", "farmers", "doctors", "tourists", "activists", "families", "voters"),
    "who": ("{person}", "{person}", "{last}", "{office} {last}", "{office} {person}", "{honour} {last}"),
    "whom": ("{first}", "{first}", "{person}", "{title} {last}", "my {kin}", "my {kin} {first}"),
}  # fmt: skip

_NAMES: Final = {
    "place": (
        "{city}", "{city}", "{country}", "{city} , {country}", "{region}", "northern {country}", "central {city}",
    ),
    "spot": ("{street}", "{sight}", "{district}", "{street} in {city}"),
    "body": ("the {ministry}", "the {ministry}", "{agency}"),
    "institute": ("{citybody}", "{citybody}", "the {thecitybody}", "{countrybody}", "the {thecountrybody}"),
    "business": ("{company}", "{company}", "{firm}"),
    "org": ("{company}", "{business}", "{body}", "{institute}"),
    "side": ("{club}", "{club}", "{cityclub}"),
    "product": ("my {device}", "{software}", "the {device}"),
}  # fmt: skip

_DEEDS: Final = {
    "said": ("said", "said {when}", "told reporters", "said in a statement", "added", "told {paper}", "told {body}"),
    "attribution": (
        ", {who} {said}", ", a spokesman said", ", according to {org}", ", {body} said", ", {paper} reported",
        ", said {person} , {role} of {business}", ", police said", ", officials said", ", {last} said",
    ),
    "plan": (
        "cut {big} jobs", "build a new plant in {place}", "raise prices", "open {small} offices in {region}",
        "close its {city} office", "sell its {nationality} unit", "hire {big} people", "drop the project",
        "review the contract", "delay the launch",
    ),
    "disaster": ("a flood", "a storm", "a fire", "an earthquake", "a landslide", "a gas explosion", "a bus crash"),
    "trouble": ("a flood", "a storm", "heavy snow", "a strike", "a fire", "a power cut", "road works", "fog"),
    "topic": (
        "trade", "the climate", "water prices", "the new bridge", "rail fares", "fishing quotas", "the budget",
        "school meals", "border controls", "energy", "the peace talks", "pensions",
    ),
    "goods": (
        "coffee", "steel", "wheat", "cars", "shoes", "timber", "olive oil", "rice", "toys", "paper", "furniture",
        "china", "oranges",
    ),
    "gadget": (
        "phone", "printer", "laptop", "camera", "kettle", "vacuum cleaner", "headset", "tablet", "watch", "router",
    ),
    "part": ("battery", "screen", "handle", "charger", "lid", "cable", "filter", "keyboard", "strap", "manual"),
    "good": ("great", "excellent", "decent", "lovely", "very nice", "surprisingly good", "better than I had hoped"),
    "bad": ("flimsy", "of poor quality", "disappointing", "slower than the old one", "broken already", "hard to clean"),
    "dull": ("far too long", "slow to start", "not for me", "a little dull", "overrated"),
    "fault": (
        "freezes when I log in", "shows a blank page", "prints only half of the page", "asks for a password twice",
        "crashes after the update", "loses the connection every hour", "does not start any more", "shows error {order}",
    ),
    "closing": ("Best regards", "Kind regards", "Yours sincerely", "Best", "Many thanks", "Cheers", "All the best"),
    "greeting": ("Dear", "Hello", "Hi", "Good morning"),
    "paperwork": (
        "the invoice", "the contract", "the minutes", "the slides", "the budget", "the travel plan", "the draft",
    ),
    "stage": ("first round", "second round", "quarter-final", "semi-final", "final", "group stage"),
    "market": ("shares", "profits", "sales", "revenues", "orders"),
    "trade": ("exports", "imports", "shipments", "sales"),
    "moved": ("rose", "fell", "jumped", "slipped", "climbed", "dropped"),
    "money": ("$ {big} million", "{small} million euros", "{big} million dollars", "{big},000 pounds"),
    "price": ("$ {two}", "{two} euros", "{big} dollars", "{two} pounds"),
    "win": ("1-0", "2-0", "2-1", "3-0", "3-1", "3-2", "4-1", "4-2", "5-0"),
    "draw": ("0-0", "1-1", "2-2", "3-3"),
    "sets": ("6-{games} 6-{games}", "7-5 6-{games}", "6-{games} 3-6 6-{games}"),
    "games": ("0", "1", "2", "3", "4"),
    "clock": ("{hour}:00", "{hour}:30", "{hour}:15", "{small} o'clock"),
    "percent": ("{small} percent", "{digit}.{digit} percent", "{small} %", "{two} percent"),
}  # fmt: skip

PHRASES: Final = {**_TIME, **_PEOPLE, **_NAMES, **_DEEDS}
