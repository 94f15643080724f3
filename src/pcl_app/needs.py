"""What must be there before work begins that could not be finished without it."""

import importlib.util
import os

from pcl_core.errors import Code, Issue, MissingDependencyError, RequestError


def need(module: str, extra: str) -> None:
    """Refuse before any work what could not be finished without a package."""
    if importlib.util.find_spec(module) is None:
        issue = Issue(Code.MISSING_DEPENDENCY, f"this needs {module}", f"pip install 'pcl-elicit[{extra}]'")
        raise MissingDependencyError(issue)


def need_working_folder() -> None:
    """Refuse before any work what starts other programs, where the folder that these would start in is gone."""
    try:
        os.getcwd()
    except OSError:
        message = "the folder in which pcl was started is gone, and other programs cannot be started in it"
        raise RequestError(Issue(Code.FILE_NOT_FOUND, message, "change to a folder that is there")) from None
