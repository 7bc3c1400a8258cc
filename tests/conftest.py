"""What every test relies on: no screen, no home folder, no thread left behind."""

from __future__ import annotations

import functools
import gc
import gettext
import importlib.metadata
import itertools
import json
import os
import random
import shutil
import signal
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.properties import examples, is_whole
from tests.remembering import remembered, remembering
from tests.repeating import ORDER, Drawn, is_repeating
from tests.sharing import import_a_share, keep_files_in_memory, keep_what_is_compiled

if TYPE_CHECKING:
    from workbench.session import Session

_SESSION_FOLDER = "WORKBENCH_TEST_SESSION"
_homes = itertools.count()
WALKS = "test_every_setting"
FEW_WALKS = 1
_PATIENCE = 20.0  # seconds a thread may need to end after its test

gc.disable()  # until all tests are read: next to nothing of what that makes is garbage
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# No example fails for being slow: on a busy machine any may be. The time of a whole test is limited anyway.
# `.ci/run` tries the same ones whenever it tries the same commit.
settings.register_profile(
    "unhurried",
    deadline=None,
    max_examples=examples(settings.default.max_examples),
    derandomize=is_repeating(),
    database=None if is_repeating() else settings.default.database,
)
settings.load_profile("unhurried")
# Set before anything is imported that reads them; parallel workers inherit them, and so share one font cache.
if _SESSION_FOLDER in os.environ:
    _made_here = _in_memory = None
else:
    _made_here = tempfile.mkdtemp(prefix="workbench-tests-")
    os.environ[_SESSION_FOLDER] = _made_here
    os.environ["MPLCONFIGDIR"] = str(Path(_made_here, "matplotlib"))
    if sys.dont_write_bytecode:
        # Hundreds of programs are started, and each would compile all that it imports.
        kept = keep_what_is_compiled(Path(__file__).resolve().parents[1]) or Path(_made_here, "compiled")
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(kept)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    _in_memory = keep_files_in_memory()
    # The workers share the processors among themselves; threads of numpy's own would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if is_repeating() and getattr(config.option, "randomly_seed", None) == "default":
        config.option.randomly_seed = ORDER
    # What is collected is the same whatever the person's own ledgers hold; a test has its own (`private_home`).
    os.environ["WORKBENCH_LEDGERS"] = str(Path(tempfile.gettempdir(), "ledgers of no test"))


if is_repeating():
    _drawn = Drawn()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(item: pytest.Item) -> None:
        _drawn.install()
        _drawn.begin(item.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> Iterator[object]:
        """What several tests share is the same whichever comes first."""
        if fixturedef.scope != "function":
            _drawn.begin(f"{fixturedef.baseid} {fixturedef.argname} {getattr(request, 'param_index', 0)}")
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                _drawn.begin(f"{request.node.nodeid} after {fixturedef.argname}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    import_a_share(session.config)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if _in_memory is not None and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        shutil.rmtree(_in_memory, ignore_errors=True)


def pytest_unconfigure() -> None:
    if _made_here is not None:
        os.environ.pop(_SESSION_FOLDER, None)
        shutil.rmtree(_made_here, ignore_errors=True)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark tests of what not every machine has, before some are chosen; afterwards put those of Spark first.

    Of the walks through whole rooms of the window a few are drawn, unless all examples of properties are wanted or the
    walks were named; of rooms whose changes are divided among several tests each takes minutes, and is left to those.

    Parallel workers begin with blocks of the list, and take over from the ends of one another's. So these tests stay
    with one worker, which alone waits for Spark to start, and no worker is left over with them at the end. Nor with a
    walk, which takes as long as hundreds of other tests.
    """
    for item in items:
        if _shares_spark(item):
            item.add_marker(pytest.mark.spark)
        if "shared_data" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.real_data)
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.properties)
    if not is_whole() and not any(WALKS in argument for argument in config.args):
        walks = [item for item in items if WALKS in item.nodeid and hasattr(item, "callspec")]
        short = [item for item in walks if item.module.ROOMS[item.callspec.params["name"]].shares == 1]
        # The same ones in every worker, and others in the next run by hand.
        drawn = random.Random(ORDER if is_repeating() else os.environ[_SESSION_FOLDER]).sample(
            sorted(short, key=lambda item: item.nodeid), min(FEW_WALKS, len(short))
        )
        left_out = [item for item in walks if item not in drawn]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
    yield
    items.sort(key=lambda item: (not _shares_spark(item), WALKS not in item.nodeid))


def _shares_spark(item: pytest.Item) -> bool:
    group = item.get_closest_marker("xdist_group")
    return (group is not None and "spark" in group.args) or "spark_store" in getattr(item, "fixturenames", ())


def pytest_collection_finish() -> None:
    """Spare every later sweep for garbage the hundreds of thousands of objects that imports and collection made."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


@pytest.fixture
def heeded_control_c() -> Iterator[None]:
    """Where the tests run in the background it is ignored, which a process hands on to those it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and caches go to a folder of the test's own; it is there only once something is written.

    Returns
    -------
    Path
        The folder that stands in for the person's home.
    """
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_homes))
    for variable, name in (
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_STATE_HOME", "state"),
        ("APPDATA", "config"),
        ("LOCALAPPDATA", "data"),
    ):
        monkeypatch.setenv(variable, str(home / name))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(home / "ledgers"))
    return home


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Install plug-ins for a test: entry points by name, with what they load or the error that loading them raises.

    Returns
    -------
    Callable
        Takes entry points by name and, as `distribution` and `version`, who brings them. May be called several times.
    """
    from tests.plugin_toys import Point
    from workbench.core.plugins import GROUP, installed_points, registries
    from workbench.core.trust import TRUST

    real, points, trusted = importlib.metadata.entry_points, list[Point](), TRUST.keys

    def forget() -> None:
        installed_points.cache_clear()
        for registry in registries():
            vars(registry).pop("_read", None)

    def entry_points(**asked: str) -> object:
        return list(points) if asked.get("group") == GROUP else real(**asked)

    def install(named: Mapping[str, object], distribution: str = "toy-plug", version: str = "0.1") -> None:
        points.extend(Point(name, made, distribution, version) for name, made in named.items())
        forget()

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    forget()
    yield install
    monkeypatch.undo()
    TRUST.keys = trusted
    forget()


@pytest.fixture(scope="session", autouse=True)
def looked_up_once() -> Iterator[None]:
    """Look for translations and for installed packages once: no test installs any where Python already looks.

    Commands are given thousands of times in one process; each looks for a translation of every word of its help that
    Python itself wrote, and reads what every installed package says of itself, on the disk.
    """
    find, real = functools.cache(gettext.find), importlib.metadata.entry_points
    known: dict[object, object] = {}

    def entry_points(**asked: str) -> object:
        key = (*sys.path, *asked.items())
        if key not in known:
            known[key] = real(**asked)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gettext, "find", find)
        patch.setattr(importlib.metadata, "entry_points", entry_points)
        yield


@pytest.fixture(scope="session", autouse=True)
def written_when_the_system_likes() -> Iterator[None]:
    """Wait for no disk: thousands of files are forced there, each for milliseconds, and no machine fails in a test.

    Whether and when a file is forced is looked at by tests that put an `os.fsync` of their own in its place, and what
    is killed is a process of its own, which forces its files.
    """
    force = os.fsync

    def fsync(descriptor: int) -> None:
        mode = os.fstat(descriptor).st_mode  # what is not open is refused as ever
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            force(descriptor)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        yield


@pytest.fixture(scope="session", autouse=True)
def charts_of_reports_drawn_once() -> Iterator[None]:
    """Keep what the charts of reports look like: the same data gives the same bytes, as `tests/plots` shows.

    Reports are made in hundreds of tests, and most of the time that takes is drawing charts of the same few tables.
    """
    from workbench.report import html_report

    draw = html_report.chart_svg
    drawn = remembered(lambda kind, data: draw(sys.modules[kind], data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_report, "chart_svg", lambda kind, data: drawn(kind.__name__, data))
        yield


@pytest.fixture(scope="session", autouse=True)
def samples_read_once() -> Iterator[None]:
    """Keep what was read of the samples, which commands and windows open hundreds of times; of each, once by itself."""
    from workbench.core.paths import sample_data
    from workbench.project import loading

    read, samples, known = loading.read_table, sample_data(), dict[object, Any]()

    def read_table(path: str | os.PathLike[str], dialect: Any = None, progress: Any = None) -> Any:
        given = () if progress is None else (progress,)
        if Path(path).parent != samples or not Path(path).is_file():
            return read(path, dialect, *given)
        state = Path(path).stat()
        key = (Path(path), dialect, state.st_mtime_ns, state.st_size)
        if key not in known:
            known[key] = read(path, dialect, *given)
        elif progress is not None:
            progress(1.0)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "read_table", read_table)
        yield


@pytest.fixture(scope="module")
def thousands_verified() -> Iterator[None]:
    """Declare the options of `verify` once, and read once what a statement should say: thousands are verified."""
    from workbench.cli import main as command_line
    from workbench.report import page_faults

    declare = command_line.parser_of
    declared = remembered(declare)
    with remembering(page_faults, "lines_of"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(command_line, "parser_of", lambda of: (declared if of == {"verify"} else declare)(of))
        yield


@pytest.fixture(autouse=True)
def no_thread_left_behind() -> Iterator[None]:
    """Fail a test whose threads outlive it."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + _PATIENCE
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(max(0.0, deadline - time.monotonic()))
    names = sorted(thread.name for thread in left if thread.is_alive())
    assert not names, f"threads still running after the test: {', '.join(names)}"


@pytest.fixture
def quiet(capsys: pytest.CaptureFixture[str]) -> Callable[[], str]:
    """What was printed since it was asked last, output and errors, which is then forgotten."""

    def take() -> str:
        read = capsys.readouterr()
        return read.out + read.err

    return take


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Gives a command, which must end with `code`, and returns what it tells programs."""
    from workbench.cli.main import main

    def run(*words: str | Path, code: int = 0) -> Any:
        ended = main([*map(str, words), "--json"])
        said = capsys.readouterr()
        assert ended == code, said.err
        return json.loads(said.out or (said.err if code else ""))

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Gives a command that must be refused, and returns what it says of that."""
    from workbench.cli.main import main

    def run(*words: str | Path) -> str:
        try:
            code: object = main([*map(str, words)])
        except SystemExit as error:
            code = error.code
        said = capsys.readouterr()
        assert code == 2 and not said.out and "Traceback" not in said.err
        return said.err

    return run


@pytest.fixture
def staff(tmp_path: Path) -> Session:
    """A table of 400 people, their jobs and pay, with the hierarchies that are suggested; nothing is drawn yet."""
    from workbench.core.progress import SILENT
    from workbench.project.model import new_project
    from workbench.session import Session

    rows = "".join(f"{('cook', 'clerk')[i % 2]},{1_000 * (i % 40)}\n" for i in range(400))
    (tmp_path / "staff.csv").write_text(f"job,pay\n{rows}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(tmp_path / "staff.csv")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))
    return session


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data that is not part of the project, named by the variable WORKBENCH_DATA."""
    named = os.environ.get("WORKBENCH_DATA", "")
    if not named:
        pytest.skip("WORKBENCH_DATA names no folder of real data")
    folder = Path(named)
    if not folder.is_dir():
        pytest.fail(f"WORKBENCH_DATA names {folder}, which is no folder")
    return folder
