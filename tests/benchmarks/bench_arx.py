"""The search for the best levels beside ARX's, in turn: processor seconds, and whether both find the same.

ARX is a program in Java that does the same search (https://arx.deidentifier.org). WORKBENCH_ARX holds a class path with
its classes, WORKBENCH_DATA the folder that holds adult/. Its Java machine stays warm, and is asked in turn with ours;
of each the least and the median of all turns but the first. Its seconds are those of all its threads, with what the
machine compiles and collects in the meantime, and those of the thread that searches alone.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.bench_search import adult
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.search import optimise
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Table

TURNS = 7
K, L = "k=5", "l-diversity=2:occupation"
CASES: tuple[tuple[str, tuple[str, ...], float, float | None], ...] = (
    ("k = 5, none", (K,), 0.0, 1),
    ("k = 5, 4 %", (K,), 0.04, 10),
    ("k = 5, any", (K,), 1.0, 30),
    ("l = 2, 4 %", (L,), 0.04, None),
    ("k = 5 and l = 2, 4 %", (K, L), 0.04, None),
    ("k = 5 and t = 0.2, 4 %", (K, "t-closeness=0.2:occupation"), 0.04, None),
)
"""A name, the models, the most that may be suppressed, and how many times as long ARX should take."""

JAVA = """
import java.io.*;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.deidentifier.arx.*;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.ARXLattice.ARXNode;
import org.deidentifier.arx.criteria.*;
import org.deidentifier.arx.metric.Metric;

public class Beside {
    public static void main(String[] args) throws Exception {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = ManagementFactory.getThreadMXBean();
        var folder = args[0] + File.separator;
        Data data = Data.create(folder + "adult.csv", StandardCharsets.UTF_8, ';');
        List<String> names = new ArrayList<>();
        for (int i = 0; i < data.getHandle().getNumColumns(); i++) names.add(data.getHandle().getAttributeName(i));
        var asked = new BufferedReader(new InputStreamReader(System.in));
        for (String line = asked.readLine(); line != null; line = asked.readLine()) {
            String[] words = line.split(" ");
            ARXConfiguration config = ARXConfiguration.create();
            config.setSuppressionLimit(Double.parseDouble(words[0]));
            config.setQualityModel(Metric.createLossMetric());
            Set<String> sensitive = new HashSet<>();
            for (int i = 1; i < words.length; i++) {
                String[] model = words[i].split("[=:]");
                if (model.length > 2) sensitive.add(model[2]);
                if (model[0].equals("k")) config.addPrivacyModel(new KAnonymity(Integer.parseInt(model[1])));
                else if (model[0].startsWith("l"))
                    config.addPrivacyModel(new DistinctLDiversity(model[2], Integer.parseInt(model[1])));
                else config.addPrivacyModel(new EqualDistanceTCloseness(model[2], Double.parseDouble(model[1])));
            }
            for (String name : names) data.getDefinition().setAttributeType(name, sensitive.contains(name)
                ? AttributeType.SENSITIVE_ATTRIBUTE
                : Hierarchy.create(folder + "adult_hierarchy_" + name + ".csv", StandardCharsets.UTF_8, ';'));
            long all = system.getProcessCpuTime();
            long own = threads.getCurrentThreadCpuTime();
            ARXResult result = new ARXAnonymizer().anonymize(data, config);
            own = threads.getCurrentThreadCpuTime() - own;
            all = system.getProcessCpuTime() - all;
            ARXNode best = result.getGlobalOptimum();
            StringBuilder levels = new StringBuilder();
            for (String name : best.getQuasiIdentifyingAttributes())
                levels.append(levels.length() == 0 ? "" : ", ")
                    .append("\\"" + name + "\\": " + best.getGeneralization(name));
            int lost = result.getOutput(best, false).getStatistics().getEquivalenceClassStatistics()
                .getNumberOfSuppressedRecords();
            System.out.println("{\\"all\\": " + all / 1e9 + ", \\"own\\": " + own / 1e9 + ", \\"score\\": "
                + best.getHighestScore() + ", \\"suppressed\\": " + lost + ", \\"levels\\": {" + levels + "}}");
            System.out.flush();
            data.getHandle().release();
        }
    }
}
"""


class Beside:
    """ARX in a Java machine of its own, which answers one search after the other."""

    def __init__(self, classes: str, folder: Path, scratch: Path) -> None:
        source = scratch / "Beside.java"
        source.write_text(JAVA, encoding="utf-8")
        command = ["java", "-cp", classes, str(source), str(folder)]
        self._machine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def search(self, models: tuple[str, ...], limit: float) -> dict[str, Any]:
        """The optimum, and how long it took."""
        machine = self._machine
        assert machine.stdin is not None
        assert machine.stdout is not None
        machine.stdin.write(f"{limit} {' '.join(models)}\n")
        machine.stdin.flush()
        found: dict[str, Any] = json.loads(machine.stdout.readline())
        return found

    def end(self) -> None:
        assert self._machine.stdin is not None
        self._machine.stdin.close()
        self._machine.wait()


def searched(table: Table, every: dict[str, Hierarchy], models: tuple[str, ...], limit: float) -> tuple[float, Any]:
    """Our optimum, and its processor seconds with reading the rows into classes."""
    sensitive = {model.partition(":")[2] for model in models}
    hierarchies = {name: one for name, one in every.items() if name not in sensitive}
    choices = [ModelChoice.parse(model) for model in models]
    start = time.process_time()
    found = optimise(table, hierarchies, Goal(choices, suppression_limit=limit))
    return time.process_time() - start, found


def main() -> None:
    if not {"WORKBENCH_ARX", "WORKBENCH_DATA"} <= set(os.environ):
        print("set WORKBENCH_ARX to a class path with ARX, and WORKBENCH_DATA to the folder that holds adult/")
        return
    folder = Path(os.environ["WORKBENCH_DATA"]) / "adult"
    table, every = adult(folder)
    with tempfile.TemporaryDirectory() as scratch:
        arx = Beside(os.environ["WORKBENCH_ARX"], folder, Path(scratch))
        print("| Adult | ours, s | ARX, s | of its thread | ARX / ours | of its thread | wanted | the same optimum |")
        for name, models, limit, aim in CASES:
            took: list[tuple[float, float, float]] = []
            same = True
            for _ in range(TURNS + 1):
                ours, found = searched(table, every, models, limit)
                theirs = arx.search(models, limit)
                took.append((ours, theirs["all"], theirs["own"]))
                same &= found.optimal and {**found.levels} == theirs["levels"]
                same &= found.suppressed == theirs["suppressed"] and abs(found.score - theirs["score"]) <= 1e-12
            mine, whole, own = zip(*took[1:], strict=True)
            times = [f"{min(one):.3f}, {statistics.median(one):.3f}" for one in (mine, whole, own)]
            ratios = [
                f"{min(o) / min(mine):.1f}, {statistics.median(o) / statistics.median(mine):.1f}" for o in (whole, own)
            ]
            print("|", " | ".join([name, *times, *ratios, f"{aim or ''}", "yes" if same else "NO"]), "|", flush=True)
        arx.end()


if __name__ == "__main__":
    main()
