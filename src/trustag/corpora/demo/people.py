"""First and last names of invented people; many are also places, months or plain words."""

from typing import Final

FIRST_NAMES: Final = (
    "Aaliyah", "Aisha", "Alejandro", "Amara", "Anna", "Antoine", "April", "Arjun", "Art", "August", "Austin",
    "Ayşe", "Beatriz", "Bill", "Björn", "Brooklyn", "Camille", "Carlos", "Carolina", "Charlotte", "Chelsea",
    "Chidi", "Chloé", "Claire", "Dakota", "Dale", "Daniel", "David", "Dmitri", "Elena", "Emeka", "Emma",
    "Faith", "Fatima", "Femi", "Florence", "Frank", "François", "Georgia", "Giulia", "Grace", "Hana", "Hannah",
    "Henrik", "Hope", "Hiroshi", "Ibrahim", "Imani", "India", "Ines", "Ingrid", "Ivan", "Ivy", "Jack", "James",
    "Jin", "João", "Jordan", "José", "Joy", "Julia", "June", "Karim", "Katarzyna", "Keiko", "Kwame", "Laila",
    "Lars", "Laura", "Leila", "Lena", "Lincoln", "Linh", "Lucas", "Łukasz", "Magnus", "Maria", "Mark",
    "Marta", "Mateo", "May", "Mei", "Mia", "Milan", "Mohamed", "Nadia", "Nia", "Nikolai", "Noah", "Noor",
    "Olga", "Olivia", "Omar", "Paris", "Pat", "Paul", "Pedro", "Penny", "Peter", "Petra", "Priya", "Rachel",
    "Rahul", "Rob", "Rosa", "Rose", "Ruth", "Samuel", "Sara", "Savannah", "Seán", "Siobhán", "Sofia", "Søren",
    "Summer", "Sven", "Sydney", "Takeshi", "Tariq", "Tess", "Thandi", "Tom", "Ursula", "Victoria", "Will",
    "Wen", "Yasmin", "Yuki", "Zanele", "Zoë",
)  # fmt: skip

LAST_NAMES: Final = (
    "Abara", "Adeyemi", "Ahmed", "Andersson", "Bailey", "Baker", "Banks", "Bell", "Bergström", "Berlin", "Best",
    "Bishop", "Black", "Boateng", "Brandt", "Brown", "Bush", "Cash", "Castillo", "Chen", "Choi", "Collins",
    "Cook", "Cruz", "Da Silva", "Day", "De Vries", "Diallo", "Dubois", "Duarte", "Eriksen", "Estrada", "Farouk",
    "Fernández", "Field", "Fischer", "Ford", "Fournier", "García", "Grant", "Green", "Haddad", "Hall", "Hansen",
    "Hart", "Hoffmann", "Horvat", "Houston", "Hussein", "Ito", "Ivanova", "Jansen", "Jordan", "Kamau", "Kaplan",
    "Kapoor", "Keller", "Khan", "Kim", "King", "Kowalska", "Kovač", "Lang", "Larsen", "Laurent", "Le Roux",
    "Lincoln", "Lindqvist", "London", "Long", "López", "March", "Marino", "Martin", "May", "Mbeki", "Meyer",
    "Mitchell", "Molina", "Moreau", "Moretti", "Müller", "Mwangi", "Nakamura", "Nguyen", "Nkosi", "Nowak",
    "O'Brien", "O'Neill", "Okafor", "Okonkwo", "Olsen", "Osei", "Öztürk", "Page", "Paris", "Park", "Patel",
    "Pereira", "Petrov", "Price", "Quinn", "Ramos", "Rao", "Reyes", "Rice", "Rivers", "Rossi", "Şahin", "Santiago",
    "Santos", "Sato", "Schmidt", "Schneider", "Sharp", "Short", "Singh", "Sørensen", "Sousa", "Stone", "Suzuki",
    "Tanaka", "Thompson", "Torres", "Traoré", "Tremblay", "Turner", "Van Dijk", "Vargas", "Vega", "Walsh",
    "Wang", "Washington", "Weber", "White", "Winter", "Wójcik", "Woods", "Yavuz", "Young", "Zhang", "Zimmermann",
)  # fmt: skip
