"""Runs every cell of a notebook in a kernel of this Python, and checks what the cells show.

    PYTHON notebook_test.py NOTEBOOK EXECUTABLE SCRATCH
"""

import json
import os
import pathlib
import sys

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def main(file, executable, scratch):
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code, "the notebook has no code"
    assert not any(cell.outputs or cell.execution_count for cell in code), "outputs are committed; clear them"

    kernels = scratch / "jupyter" / "kernels"
    (kernels / "glassworks").mkdir(parents=True)
    argv = [sys.executable, "-B", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernels / "glassworks" / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "Glassworks", "language": "python"}))
    os.environ.update(GLASSWORKS=str(executable), JUPYTER_PATH=str(scratch / "jupyter"), JUPYTER_RUNTIME_DIR=str(scratch),
                      IPYTHONDIR=str(scratch / "ipython"), MPLCONFIGDIR=str(scratch / "matplotlib"),
                      PYDEVD_DISABLE_FILE_VALIDATION="1")
    client = NotebookClient(notebook, kernel_name="glassworks", timeout=120, resources={"metadata": {"path": str(scratch)}})
    try:
        client.execute()
    except CellExecutionError as error:
        sys.exit(f"FAILED: {error}")

    outputs = [output for cell in code for output in cell.outputs]
    shown = {kind for output in outputs for kind in output.get("data", {})}
    text = "".join(output.get("text", "") for output in outputs)
    for kind in ("image/png", "text/html"):  # figures, tables of pandas
        assert kind in shown, f"no cell shows {kind}: {shown}"
    assert "rounds; " in text, f"no progress is shown: {text}"
    errors = [output for output in outputs if output.get("name") == "stderr"]
    assert not errors, errors
    print(f"ok   {len(code)} cells, {len(outputs)} outputs")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve())
