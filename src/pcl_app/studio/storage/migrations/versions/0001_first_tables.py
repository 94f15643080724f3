"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("secret", sa.String(80), nullable=False),
    )
    op.create_table(
        "problems",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("owner", sa.String(80), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("parts", sa.Integer, nullable=False),
        sa.Column("variables", sa.Integer, nullable=False),
        sa.Column("features", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("ground", sa.Text, nullable=False),
    )
    op.create_table(
        "elicitations",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("owner", sa.String(80), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("problem", sa.String(400), nullable=False),
        sa.Column("uploaded", sa.String(40), sa.ForeignKey("problems.id"), nullable=True),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("elicitation", sa.String(40), sa.ForeignKey("elicitations.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("said", sa.String(64), nullable=True),
    )
