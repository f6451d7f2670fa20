"""The OpenAPI document refers only to what it defines, and names every status that the door gives."""

import json
import re

from trustag.serving.limits import Limits
from trustag.serving.openapi import openapi_document
from trustag.serving.queries import Query


def test_references_lead_somewhere_and_the_query_has_the_fields_that_are_read() -> None:
    document = openapi_document(Limits(texts=7))
    schemas = document["components"]["schemas"]
    references = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert references <= schemas.keys()
    assert set(schemas["Query"]["properties"]) == set(Query.__struct_fields__)
    assert schemas["Query"]["properties"]["inputs"]["maxItems"] == 7
    assert {"200", "400", "401", "413", "422", "429", "503"} <= document["paths"]["/predict"]["post"][
        "responses"
    ].keys()
