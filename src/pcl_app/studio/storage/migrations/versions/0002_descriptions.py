"""What a problem that was uploaded is about. Those that are there already say nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("problems", sa.Column("description", sa.Text, nullable=False, server_default=""))
