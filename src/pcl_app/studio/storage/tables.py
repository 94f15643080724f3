"""What the studio keeps: people, their elicitations, the events of these, and problems that were uploaded."""

from sqlalchemy import Column, Float, ForeignKey, Integer, MetaData, String, Table, Text

METADATA = MetaData()

PEOPLE = Table(
    "people",
    METADATA,
    Column("id", String(80), primary_key=True),
    Column("created", Float, nullable=False),
)

SECRETS = Table(
    "secrets",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("secret", String(80), nullable=False),
)
"""What all servers on this database know and nobody else does."""

PROBLEMS = Table(
    "problems",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("owner", String(80), ForeignKey("people.id"), nullable=False, index=True),
    Column("name", String(200), nullable=False),
    Column("label", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("parts", Integer, nullable=False),
    Column("variables", Integer, nullable=False),
    Column("features", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("ground", Text, nullable=False),
)
"""`ground` is the problem as it was read once, in a process with limits; the text that was uploaded is not kept."""

ELICITATIONS = Table(
    "elicitations",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("owner", String(80), ForeignKey("people.id"), nullable=False, index=True),
    Column("problem", String(400), nullable=False),
    Column("uploaded", String(40), ForeignKey("problems.id"), nullable=True),
    Column("title", String(200), nullable=False),
    Column("created", Float, nullable=False),
    Column("settings", Text, nullable=False),
)
"""`problem` is a name of the catalogue, with parameters, or that of an uploaded one; `settings` as the first event has them."""

EVENTS = Table(
    "events",
    METADATA,
    Column("elicitation", String(40), ForeignKey("elicitations.id", ondelete="CASCADE"), primary_key=True),
    Column("sequence", Integer, primary_key=True),
    Column("event", Text, nullable=False),
    Column("said", String(64), nullable=True),
)
"""`said` tells the request by which an answer came, so that the same request, sent again, is known."""
