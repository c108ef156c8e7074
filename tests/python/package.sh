#!/usr/bin/env bash
# The Python package: its wheel, built and installed in a clean virtual environment (SCRATCH/env), its version, its types.
# The other tests of this folder use that environment.
here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
. "$here/../cli/common.sh"
source="$here/../../tools/python"
python=/usr/bin/python3 # Debian's, which has the packages

# From a copy, because setuptools leaves files in the source.
cp -r -- "$source" copy
"$python" -m pip wheel --no-build-isolation --no-deps --no-index --disable-pip-version-check -w wheels ./copy >pip.log 2>&1 ||
  fail "pip wheel: $(tail pip.log)"
"$python" -m venv --without-pip --system-site-packages env >venv.log 2>&1 || fail "venv: $(tail venv.log)"
"$python" -m pip --python env/bin/python install --no-index --no-deps --disable-pip-version-check wheels/glassworks-*.whl >pip.log 2>&1 ||
  fail "pip install: $(tail pip.log)"
echo "ok   wheel, environment, installation"

cat >facts.py <<'END'
import importlib.metadata, inspect, pathlib, sys
import glassworks
folder = pathlib.Path(glassworks.__file__).parent
assert folder.is_relative_to(pathlib.Path("env").resolve()), folder
assert (folder / "py.typed").is_file()
assert {file.name for file in folder.glob("*.py")} == {file.name for file in pathlib.Path(sys.argv[1]).glob("*.py")}
for name in glassworks.__all__:
    thing = getattr(glassworks, name)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        public = [m for n, m in vars(thing).items() if inspect.isfunction(m) and not n.startswith("_")]
        assert all(f.__doc__ for f in [thing, *public]), name
assert importlib.metadata.version("glassworks") == glassworks.__version__
print(glassworks.__version__)
END
version="$(env/bin/python -I facts.py "$source/src/glassworks")" || fail "the installed package is not whole"
[[ $("$glassworks" version) == "glassworks $version "* ]] ||
  fail "version $version of the package, but $("$glassworks" version)"
grep -q "^project(glassworks VERSION $version " "$here/../../CMakeLists.txt" ||
  fail "CMakeLists.txt has another version than $version"
echo "ok   version $version"

status=0
env/bin/python -m glassworks nowhere >out 2>err || status=$?
[[ $status -eq 1 && $(cat err) == "glassworks: There is no manifest.json in nowhere "*". Export again." ]] ||
  fail "python -m glassworks nowhere: $(cat err)"

if command -v mypy >/dev/null; then
  mypy --config-file "$source/pyproject.toml" --cache-dir cache "$source/src" >mypy.log 2>&1 || fail "types: $(cat mypy.log)"
  cat >user.py <<'END'
import glassworks

campaign = glassworks.Campaign("campaigns/first")
observable: glassworks.Observable = campaign.observable("xi_over_L")
curve: glassworks.Curve = campaign.observable(8, "xi_over_L")
for progress in campaign.run():
    left: float | None = progress.seconds_left
END
  sed 's/observable: glassworks.Observable/observable: str/' user.py >wrong.py
  ! mypy --strict --cache-dir cache --python-executable env/bin/python user.py wrong.py >mypy.log 2>&1 || fail "a wrong type was not found"
  [[ $(grep -c ': error: ' mypy.log) -eq 1 ]] && grep -q '^wrong\.py:.*Incompatible types' mypy.log ||
    fail "types of the installed package, or another error than the planted one: $(cat mypy.log)"
  echo "ok   types"
else
  skip_part "mypy is not installed"
fi
