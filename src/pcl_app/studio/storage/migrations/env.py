"""How Alembic reaches the database: by the connection that whoever brings it up to date already has."""

from alembic import context

from pcl_app.studio.storage.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=False)
context.run_migrations()
