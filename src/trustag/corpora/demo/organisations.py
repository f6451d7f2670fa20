"""Companies, public bodies, clubs and papers; some are named after people and places, some after plain things."""

from typing import Final

COMPANIES: Final = (
    "Alder & Finch", "Amazon", "Apple", "Arcadia Foods", "Aurora Energy", "Birch Health", "Blue Harbor",
    "Boots", "Brightwater", "Calder Motors", "Castor Labs", "Cedar Point Capital", "Chase", "Cobalt Mining",
    "Copperfield Press", "Delta", "Dunmore Steel", "Eastgate Logistics", "Ember Systems", "Falcon Freight",
    "Fjord Seafood", "Ford", "Gap", "Granite Insurance", "Greenleaf", "Halden Group", "Harrow & Sons", "Helix Bio",
    "Hollis Media", "Ironbridge", "Juniper Hotels", "Keystone Pharma", "Kestrel Air", "Lakeside Dairy", "Lumen",
    "Lyra Telecom", "Marlowe Books", "Meridian Rail", "Metro Cash", "Nimbus Airways", "Next", "Northgate Ltd",
    "Novena", "Oakhurst Partners", "Oracle", "Orange", "Orbis", "Osprey Robotics", "Pacific Timber", "Paragon Bank",
    "Pinewood Toys", "Quarry Lane Brewing", "Quill", "Redwood Software", "Riverbend", "Saffron Foods", "Shell",
    "Sable Industries", "Solaris Power", "Sterling Chemicals", "Stone & Co", "Subway", "Summit Outdoor", "Target",
    "Tern Shipping", "Thornton plc", "Tidewater Oil", "Titan Cement", "Trident Foods", "Ulmer AG", "Unity Grid",
    "Vantage Retail", "Vega", "Verity Analytics", "Virgin", "Visa", "Volta Cars", "Westbrook Inc", "Whitfield Bros",
    "Willow Care", "Zenith Optics", "Zephyr Wind",
)  # fmt: skip

# A last name goes where the braces are.
FAMILY_FIRMS: Final = (
    "{} & Sons", "{} Industries", "{} Holdings", "{} Brothers", "{} Electric", "{} Capital", "{} Motors",
    "{} Foundation",
)  # fmt: skip

AGENCIES: Final = (
    "Amnesty International", "Congress", "Doctors Without Borders", "Eurostat", "Greenpeace", "Interpol", "Labour",
    "NASA", "NATO", "OPEC", "Oxfam", "Parliament", "Save the Children", "Scotland Yard", "UNESCO", "UNICEF",
)  # fmt: skip

# These go with an article.
MINISTRIES: Final = (
    "BBC", "Coast Guard", "Court of Appeal", "Defence Ministry", "European Central Bank", "European Commission",
    "European Parliament", "European Union", "FBI", "Finance Ministry", "Foreign Ministry", "Health Ministry",
    "Home Office", "House of Lords", "IMF", "Ministry of Agriculture", "Ministry of Culture", "Ministry of Transport",
    "National Trust", "OECD", "Red Cross", "Senate", "Supreme Court", "Treasury", "UN", "United Nations", "WHO",
    "White House", "World Bank", "World Trade Organization",
)  # fmt: skip

CLUBS: Final = (
    "Ajax", "Arsenal", "Aston Villa", "Benfica", "Boca Juniors", "Boston Celtics", "Celtic", "Chelsea",
    "Chicago Bulls", "Crystal Palace", "Dallas Stars", "Everton", "Fulham", "Galatasaray", "Inter", "Juventus",
    "Lazio", "Lincoln City", "Los Angeles Kings", "Málaga CF", "Montreal Canadiens", "New York Rangers", "Olympiacos",
    "Orlando Magic", "Phoenix Suns", "Queens Park Rangers", "Rangers", "Real Sociedad", "Red Star", "River Plate",
    "Roma", "San Antonio Spurs", "Sheffield Wednesday", "Sporting", "St. Pauli", "Utah Jazz", "Washington Capitals",
    "Watford", "West Ham", "Wolves",
)  # fmt: skip

PAPERS: Final = (
    "Channel 9", "Harbour News", "Le Matin", "Radio Nova", "The Courier", "The Evening Star", "The Globe",
    "The Herald", "The Independent", "The Morning Post", "The Northern Echo", "The Sunday Mail", "The Weekly Mirror",
)  # fmt: skip

# A city or a country goes where the braces are; the first of each pair stand alone, the second go with an article.
CITY_BODIES: Final = (
    "{} University", "{} City Council", "{} School of Economics", "{} General Hospital", "{} Zoo", "{} Savings Bank",
    "{} Police",
)  # fmt: skip
ARTICLE_CITY_BODIES: Final = (
    "University of {}", "{} Stock Exchange", "{} Symphony Orchestra", "Port Authority of {}", "Museum of {}",
)  # fmt: skip
COUNTRY_BODIES: Final = ("{} Airlines", "Radio {}", "{} Telecom", "Air {}")
ARTICLE_COUNTRY_BODIES: Final = ("Bank of {}", "{} Football Association", "National Museum of {}", "{} Cricket Board")
