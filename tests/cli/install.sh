#!/usr/bin/env bash
# `cmake --install` and CPack: every file in its place, a program that runs from there, pages of every verb.
here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
. "$here/common.sh"
build="$(dirname -- "$glassworks")"
[[ -f $build/cmake_install.cmake ]] || { skip_part "$build is no build folder"; exit 0; }

mapfile -t verbs < <("$glassworks" --help | sed -n 's/^  glassworks \([a-z]*\).*/\1/p' | grep -vx -e help -e version)
# whole ROOT: what an installation below this prefix must hold.
whole() {
  local file
  for file in bin/glassworks share/bash-completion/completions/glassworks share/fish/vendor_completions.d/glassworks.fish \
    share/man/man1/glassworks.1 share/doc/glassworks/{README.md,LICENSE,CHANGELOG.md} \
    share/doc/glassworks/docs/{keys.md,manual/install.md} share/doc/glassworks/configs/quickstart.cfg \
    share/glassworks/python/{pyproject.toml,tour.ipynb,src/glassworks/{__init__.py,py.typed}} \
    "${verbs[@]/#/share/man/man1/glassworks-}"; do
    compgen -G "$1/$file*" >/dev/null || fail "$1 has no $file"
  done
  compgen -G "$1/share/zsh/*/_glassworks" >/dev/null || fail "$1 has no completion for zsh"
  bash -n "$1/share/bash-completion/completions/glassworks" || fail "the completion of $1 cannot be parsed"
  [[ $("$1/bin/glassworks" version) == "$("$glassworks" version)" ]] || fail "$1/bin/glassworks is another program"
  [[ -z $(find "$1" -name '*.pyc' -o -size 0 -type f) ]] || fail "$1 has empty or foreign files"
}

# finds_package ROOT: Debian's Python finds the package in ROOT/lib, and the package finds the program.
finds_package() {
  /usr/bin/python3 -c 'import numpy' 2>/dev/null || { skip_part "python3-numpy is not installed"; return 0; }
  [[ $(env -i PATH=/nowhere PYTHONPATH="$1/lib/python3/dist-packages" /usr/bin/python3 -B -c 'import sys; sys.prefix = "/nowhere"
import glassworks; print(glassworks.find_program())') == "$(realpath -- "$1")/bin/glassworks" ]] ||
    fail "the Python package of $1 is not found, or does not find the program"
}

cmake --install "$build" --prefix "$scratch/prefix" >install.log 2>&1 || fail "cmake --install: $(tail install.log)"
whole prefix
DESTDIR="$scratch/root" cmake --install "$build" --prefix /usr >install.log 2>&1 || fail "DESTDIR: $(tail install.log)"
whole root/usr
finds_package root/usr
[[ -f root/usr/share/zsh/vendor-completions/_glassworks ]] || fail "zsh of Debian does not find its completion"
echo "ok   cmake --install"

cpack -G TGZ --config "$build/CPackConfig.cmake" -B "$scratch/packages" >cpack.log 2>&1 || fail "cpack -G TGZ: $(tail cpack.log)"
mkdir unpacked
tar -xzf packages/glassworks-*.tar.gz -C unpacked --strip-components=1
whole unpacked
echo "ok   tarball"

if command -v dpkg-shlibdeps >/dev/null; then
  cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch/packages" >cpack.log 2>&1 || fail "cpack -G DEB: $(tail cpack.log)"
  dpkg-deb -x packages/glassworks*_*.deb package
  whole package/usr
  finds_package package/usr
  [[ $(dpkg-deb -f packages/glassworks*_*.deb Package Section Recommends) == *glassworks*science*gnuplot* ]] ||
    fail "fields: $(dpkg-deb -f packages/glassworks*_*.deb)"
  dpkg-deb -f packages/glassworks*_*.deb Depends | grep -q 'libc6' || fail "the package depends on no library"
  echo "ok   Debian package"
else
  skip_part "dpkg-shlibdeps is not installed"
fi

for recipe in "$here"/../../tools/setup/spack/packages/*/package.py; do
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe" || fail "$recipe is no Python"
done
python3 - "$here/../../tools/setup/conda/meta.yaml" <<'END' || fail "the recipe of conda is no YAML after its templates"
import re, sys
text = re.sub(r"{%.*?%}", "", re.sub(r"{{.*?}}", "x", open(sys.argv[1]).read()))
assert not re.search(r"[{}%]", text), "a template is not closed"
try:
    import yaml
except ImportError:
    sys.exit()
recipe = yaml.safe_load(text)
assert recipe["package"]["name"] == "glassworks" and "numpy" in recipe["requirements"]["run"], recipe
END
echo "ok   recipes"

# A wheel takes an executable that needs glibc alone, and refuses others.
if /usr/bin/python3 -c 'import setuptools, pip, wheel' 2>/dev/null; then
  if ldd "$glassworks" | grep -q libfmt; then
    ! bash "$here/../../tools/release/build_wheel.sh" --glassworks "$glassworks" --out wheels 2>err || fail "a wheel with shared libraries"
    grep -q 'cannot be carried to another machine (it needs .*libfmt.*preset portable' err || fail "another sentence: $(cat err)"
  fi
  echo "ok   wheel"
else
  skip_part "python3-setuptools, python3-pip or python3-wheel is not installed"
fi
