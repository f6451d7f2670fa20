"""Cities, countries, regions, streets and sights; many share their name with people, clubs or plain words."""

from typing import Final

CITIES: Final = (
    "Accra", "Amsterdam", "Antwerp", "Athens", "Austin", "Baghdad", "Bangkok", "Barcelona", "Bath", "Beijing",
    "Beirut", "Belfast", "Bergen", "Berlin", "Bogotá", "Boston", "Bristol", "Brussels", "Bucharest", "Budapest",
    "Buenos Aires", "Buffalo", "Cairo", "Cape Town", "Cardiff", "Casablanca", "Charlotte", "Chester", "Chicago",
    "Cologne", "Copenhagen", "Córdoba", "Cork", "Dakar", "Dallas", "Delhi", "Denver", "Detroit", "Dublin",
    "Düsseldorf", "Edinburgh", "Essen", "Florence", "Geneva", "Genoa", "Ghent", "Glasgow", "Göteborg", "Hamburg",
    "Hanoi", "Helsinki", "Ho Chi Minh City", "Hong Kong", "Houston", "Hull", "Istanbul", "Izmir", "Jakarta",
    "Johannesburg", "Karachi", "Kraków", "Kyoto", "Lagos", "Leeds", "Lille", "Lima", "Lincoln", "Lisbon",
    "Ljubljana", "London", "Los Angeles", "Lyon", "Łódź", "Madrid", "Málaga", "Malmö", "Manchester", "Manila",
    "Marseille", "Melbourne", "Mexico City", "Miami", "Milan", "Mobile", "Montréal", "Moscow", "Mumbai", "Munich",
    "Nairobi", "Naples", "New York", "Nice", "Nîmes", "Orange", "Oslo", "Ottawa", "Oxford", "Paris", "Perth",
    "Phoenix", "Port Elizabeth", "Porto", "Prague", "Quebec City", "Reading", "Reykjavík", "Riga", "Rio de Janeiro",
    "Rome", "Rotterdam", "San Francisco", "San José", "Santiago", "São Paulo", "Sarajevo", "Seattle", "Seoul",
    "Shanghai", "Singapore", "Sofia", "Split", "Stockholm", "Strasbourg", "Sydney", "Tallinn", "Tel Aviv",
    "Tokyo", "Toronto", "Tromsø", "Tunis", "Turin", "Valencia", "Vancouver", "Venice", "Verona", "Victoria",
    "Vienna", "Vilnius", "Warsaw", "Washington", "Wellington", "York", "Zagreb", "Zürich",
)  # fmt: skip

COUNTRIES: Final = (
    "Albania", "Algeria", "Angola", "Argentina", "Armenia", "Australia", "Austria", "Bangladesh", "Belgium",
    "Bolivia", "Brazil", "Britain", "Bulgaria", "Burkina Faso", "Cameroon", "Canada", "Chad", "Chile", "China",
    "Colombia", "Costa Rica", "Croatia", "Cuba", "Cyprus", "Côte d'Ivoire", "Denmark", "Ecuador", "Egypt",
    "England", "Estonia", "Ethiopia", "Finland", "France", "Georgia", "Germany", "Ghana", "Greece", "Guatemala",
    "Hungary", "Iceland", "India", "Indonesia", "Iran", "Iraq", "Ireland", "Israel", "Italy", "Jamaica", "Japan",
    "Jordan", "Kazakhstan", "Kenya", "Kuwait", "Latvia", "Lebanon", "Lithuania", "Malaysia", "Mali", "Malta",
    "Mexico", "Mongolia", "Morocco", "Mozambique", "Nepal", "New Zealand", "Nigeria", "Norway",
    "Pakistan", "Panama", "Peru", "Poland", "Portugal", "Qatar", "Romania", "Rwanda", "Saudi Arabia", "Scotland",
    "Senegal", "Serbia", "Slovakia", "Slovenia", "South Africa", "South Korea", "Spain", "Sri Lanka", "Sweden",
    "Switzerland", "Tanzania", "Thailand", "Tunisia", "Turkey", "Uganda", "Ukraine",
    "Uruguay", "Venezuela", "Vietnam", "Wales", "Zambia",
)  # fmt: skip

REGIONS: Final = (
    "Africa", "Alaska", "Andalusia", "Asia", "Bavaria", "Brittany", "California", "Catalonia", "Central America",
    "Cornwall", "Crete", "Eastern Europe", "Europe", "Florida", "Georgia", "Lake Geneva", "Lake Victoria",
    "Latin America", "Lower Saxony", "Montana", "Normandy", "Northern Ireland", "Ontario", "Patagonia", "Provence",
    "Scandinavia", "Siberia", "Sicily", "South Carolina", "Texas", "Tuscany", "Virginia", "Yorkshire",
)  # fmt: skip

# These go with an article.
LANDSCAPES: Final = (
    "Alps", "Amazon", "Andes", "Atlantic", "Balkans", "Baltic Sea", "Black Forest", "Black Sea", "Caribbean",
    "Caucasus", "Danube", "Euphrates", "Gulf of Mexico", "Himalayas", "Jordan", "Mediterranean", "Middle East",
    "Mississippi", "Nile", "North Sea", "Orange River", "Pacific", "Pyrenees", "Rhine", "Sahara", "Thames", "Volga",
)  # fmt: skip

DISTRICTS: Final = (
    "Alfama", "Brooklyn", "Camden", "Chelsea", "Chinatown", "Covent Garden", "Gràcia", "Harlem", "Kreuzberg",
    "Lincoln Park", "Manhattan", "Montmartre", "Notting Hill", "Queens", "Shibuya", "Soho", "Temple Bar", "Trastevere",
    "Victoria", "Westminster",
)  # fmt: skip

STREETS: Final = (
    "Abbey Lane", "Baker Street", "Bishop Street", "Canal Road", "Castle Hill", "Church Lane", "Elm Avenue",
    "Field Road", "Garden Row", "Harbour Street", "High Street", "King Street", "Lincoln Avenue", "London Road",
    "Market Square", "Mill Lane", "Park Avenue", "Rose Street", "Station Road", "Victoria Road",
    "Washington Square", "Water Street", "York Road",
)  # fmt: skip

# A city goes where the braces are.
SIGHTS: Final = (
    "{} Airport", "{} Castle", "{} Cathedral", "{} Central Station", "{} Harbour", "{} Town Hall",
)  # fmt: skip
STADIUMS: Final = ("{} Arena", "{} Olympic Stadium", "{} Park", "{} Stadium")
