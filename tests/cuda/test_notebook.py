"""The cells of labs/notebooks/gpu.ipynb, executed in order as a notebook does, for the emulated device: they end without an
error, draw their charts, and pack samples that `study import` takes. The notebook has no outputs.

    test_notebook.py BIN"""
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BIN = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = SOURCE / "labs" / "notebooks" / "gpu.ipynb"


def run_cells(cells):
    """Executes the cells in one namespace; returns what they printed."""
    said = io.StringIO()
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        try:
            with contextlib.redirect_stdout(said):
                exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        except Exception:
            print(said.getvalue())
            raise
    return said.getvalue()


def main():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["nbformat"] == 4 and len(code) >= 6, len(code)
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code), "outputs are committed"
    assert NOTEBOOK.stat().st_size < 20000, NOTEBOOK.stat().st_size
    with tempfile.TemporaryDirectory() as temporary:
        results = pathlib.Path(temporary, "results")
        os.environ.update(MAXPOOL_FOLDER=str(SOURCE), MAXPOOL_BUILD=str(BIN.parent), MAXPOOL_RESULTS=str(results),
                          MAXPOOL_DEVICE="cpu", MAXPOOL_BUDGET="4s")
        said = run_cells(code)
        for text in ("no GPU", "loop: exact", "made by each thread", "not yet compared with a GPU", "samples.tar"):
            assert text in said, (text, said)
        charts = [path.name for path in (results / "figures").iterdir()]
        for name in ("growth", "speedup"):  # a busy machine measures too little of one within the budget, and says so
            assert any(name in chart for chart in charts) or re.search(f"not drawn: .*{name}", said), (charts, said)
        done = subprocess.run([BIN / "study", "import", results / "samples.tar", "--results", pathlib.Path(temporary, "home")],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stdout.startswith("0 samples"), done
        # Without a clone and without an address the first cell says what to set.
        os.environ.update(MAXPOOL_FOLDER=str(pathlib.Path(temporary, "none")))
        try:
            run_cells(code[:1])
            raise AssertionError("no clone is no error")
        except RuntimeError as error:
            assert "REPOSITORY" in str(error), error


main()
