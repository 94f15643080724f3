"""Opens the shop: `python -m examples.shop`, then http://127.0.0.1:8010."""

from pathlib import Path

import uvicorn

from .pages import pages
from .service import Shop, Solver
from .storage import Storage

SETTINGS = Path(__file__).with_name("shop.toml")

if __name__ == "__main__":
    shop = Shop(Storage(Path("shop.db")), Solver.configured(SETTINGS))
    uvicorn.run(pages(shop), host="127.0.0.1", port=8010)
