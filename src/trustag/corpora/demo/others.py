"""Nationalities, events, products, works and laws; some products and works are plain words with a capital."""

from typing import Final

NATIONALITIES: Final = (
    "Algerian", "American", "Argentine", "Australian", "Austrian", "Belgian", "Bolivian",
    "Brazilian", "British", "Bulgarian", "Canadian", "Chilean", "Chinese", "Colombian", "Croatian", "Cuban", "Czech",
    "Danish", "Dutch", "Egyptian", "English", "Estonian", "Ethiopian", "European", "Finnish", "French", "Georgian",
    "German", "Ghanaian", "Greek", "Hungarian", "Icelandic", "Indian", "Indonesian", "Iranian", "Iraqi", "Irish",
    "Israeli", "Italian", "Jamaican", "Japanese", "Jordanian", "Kenyan", "Korean", "Latvian", "Lebanese", "Mexican",
    "Moroccan", "Nigerian", "Norwegian", "Pakistani", "Palestinian", "Peruvian", "Polish", "Portuguese", "Romanian",
    "Russian", "Saudi", "Scottish", "Senegalese", "Serbian", "Slovak", "South African", "Spanish", "Swedish", "Swiss",
    "Syrian", "Thai", "Tunisian", "Turkish", "Ukrainian", "Vietnamese", "Welsh",
)  # fmt: skip

PEOPLES: Final = (
    "Americans", "Australians", "Belgians", "Brazilians", "Canadians", "Catholics", "Danes", "Europeans", "Finns",
    "Germans", "Ghanaians", "Indians", "Italians", "Kenyans", "Kurds", "Mexicans", "Muslims", "Nigerians", "Norwegians",
    "Poles", "Russians", "Scots", "Serbs", "Spaniards", "Swedes", "Turks", "Ukrainians",
)  # fmt: skip

LANGUAGES: Final = (
    "Arabic", "Basque", "Catalan", "Chinese", "Czech", "Danish", "Dutch", "English", "Finnish", "French", "German",
    "Greek", "Hindi", "Irish", "Italian", "Japanese", "Korean", "Mandarin", "Polish", "Portuguese", "Russian",
    "Spanish", "Swahili", "Swedish", "Turkish", "Urdu", "Welsh", "Zulu",
)  # fmt: skip

# These go with an article, like everything below but software and works.
CUPS: Final = (
    "Africa Cup of Nations", "Asian Games", "Berlin Marathon", "Boat Race", "Champions League", "Commonwealth Games",
    "Copa América", "Davis Cup", "European Championship", "FA Cup", "French Open", "Grand National", "Paris Masters",
    "Premier League", "Ryder Cup", "Six Nations", "Super Bowl", "Tour de France", "U.S. Open", "Winter Olympics",
    "World Cup",
)  # fmt: skip

FAIRS: Final = (
    "Bath Music Festival", "Cannes Film Festival", "Edinburgh Festival", "Florence Biennale", "Geneva Motor Show",
    "Lisbon Book Fair", "Milan Design Fair", "Paris Air Show", "Reading Festival", "Toronto Jazz Festival",
    "Venice Film Festival", "Vienna Opera Ball", "World Economic Forum", "World Food Summit",
)  # fmt: skip

DEVICES: Final = (
    "Aria 2", "Atlas X1", "Breeze Mini", "Brightbook Pro", "Civic", "Comet 500", "Duo Max", "Echo", "Firefly 3",
    "Galaxy S9", "Glow", "Harmony Plus", "Kindle", "Lumo 7", "MacBook", "Model 3", "Nova", "PixelPad", "Polo",
    "Pulse Watch", "Quickscan 40", "Rapid Pro", "SoundPod", "Spark", "Switch", "TurboClean", "WhisperJet", "Xbox",
    "iPad", "iPhone", "iPhone 12",
)  # fmt: skip

SOFTWARE: Final = (
    "Android", "Bluebird", "Edge", "Excel", "Java", "Linux", "Maps", "Notebook", "Office 365", "Outlook", "Pages",
    "Python", "Safari", "Teams", "Vista", "Windows 11", "Word", "Zoom",
)  # fmt: skip

WORKS: Final = (
    "A Winter in Georgia", "Blue Hour", "Ghost Town", "Harvest", "Hotel Riviera", "Letters from Lisbon",
    "Nine Quiet Rooms", "Paris by Night", "Salt and Stone", "Sister Moon", "Small Hours", "The Clockmaker",
    "The Glass Orchard", "The Last Ferry", "The Long Way Home", "The Orchard Keeper", "Three Bridges", "Under the Bell",
    "Waiting for May", "What the River Said",
)  # fmt: skip

LAWS: Final = (
    "Clean Air Act", "Data Protection Act", "Freedom of Information Act", "Geneva Convention", "Good Friday Agreement",
    "Kyoto Protocol", "Paris Agreement", "Treaty of Lisbon", "Treaty of Rome",
)  # fmt: skip
