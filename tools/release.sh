#!/usr/bin/env bash
# Builds and checks a release from the commit that is checked out; stops at the first thing that is wrong. Takes two to three hours on two cores, most of it for CUDA.
# Everything is built in a fresh clone below the folder of the release, so that nothing of the working tree can slip in.
set -euo pipefail
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"

usage() {
  cat <<'END'
Usage: tools/release.sh [--out DIR] [--skip-tests | --rehearse]
  --out DIR      where the files of the release go (default: release in the source directory)
  --skip-tests   without tools/test.sh, which has passed for this commit
  --rehearse     checks the scripts in a quarter of the time: without the tests and CUDA, with less optimization
END
}
die() {
  echo "The release stops: $*" >&2
  exit 1
}
step() { printf '\n== %s\n' "$*"; }

out="$root/release" rehearse=0 tests=1
while [[ $# -gt 0 ]]; do
  case "$1" in
    --out)
      [[ -n ${2:-} ]] || { usage >&2; exit 2; }
      out="$2"
      shift
      ;;
    --skip-tests) tests=0 ;;
    --rehearse) rehearse=1 tests=0 ;;
    -h | --help) usage; exit 0 ;;
    *)
      echo "Unknown argument '$1'." >&2
      usage >&2
      exit 2
      ;;
  esac
  shift
done

step "source"
[[ -z $(git -C "$root" status --porcelain) ]] ||
  die "the working tree has changes that no commit has (git status lists them). Commit them or put them away."
commit="$(git -C "$root" rev-parse HEAD)"
python3 "$root/tools/dev/check_version.py" "$root" --release || die "the files above disagree about the version."
version="$(sed -nE 's/^project\(glassworks VERSION ([0-9.]+) .*/\1/p' "$root/CMakeLists.txt")"
tagged="$(git -C "$root" rev-parse -q --verify "refs/tags/v$version^{commit}" || true)"
[[ -z $tagged || $tagged == "$commit" ]] ||
  die "the tag v$version names another commit (${tagged:0:10}). Raise the version, or delete the tag."
mkdir -p -- "$out"
out="$(cd -- "$out" && pwd)"
[[ -z $(ls -A -- "$out" | grep -vx .work) ]] || die "$out is not empty. Empty it, or name another folder with --out."
# All is made in .work, and moved when it is complete. Of an attempt that failed only its cache of compiled files is used again.
work="$out/.work"
mkdir -p -- "$work"
find "$work" -mindepth 1 -maxdepth 1 ! -name cache -exec rm -rf -- {} +
tree="$work/clone"
git clone -q --no-hardlinks -- "$root" "$tree"
git -C "$tree" checkout -q "$commit"
cd -- "$tree"
echo "glassworks $version, commit ${commit:0:10}"
files="$work/files"
mkdir -- "$files"
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH

step "packages"
tools/setup/install_packages.sh optional test docs || die "packages are missing."
options=(-DGLASSWORKS_TESTS=OFF)
with_cuda=0
if [[ $rehearse -eq 1 ]]; then
  options+=(-DGLASSWORKS_FIRST_BUILD=ON)
elif command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; then
  with_cuda=1
else
  die "there is no CUDA compiler, which the wheel and one of the Debian packages need. Install the CUDA Toolkit, or --rehearse."
fi

if [[ $tests -eq 1 ]]; then
  step "tests"
  tools/test.sh || die "a test fails."
fi

# What two builds compile alike, the CUDA code above all, is compiled once. The cache belongs to this folder alone.
export CCACHE_DIR="$work/cache" CCACHE_BASEDIR="$tree" CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=20G

# build FOLDER PRESET OPTION...: the executable alone.
build() {
  cmake --preset "$2" -B "$1" "${options[@]}" "${@:3}" >"$work/$1.log" 2>&1 || die "$1 cannot be configured ($work/$1.log)."
  cmake --build "$1" --target glassworks -j"$(nproc)" >>"$work/$1.log" 2>&1 || die "$1 does not build ($work/$1.log)."
  [[ $("$1/glassworks" version) == "glassworks $version ("* ]] || die "$1/glassworks is not version $version."
}

step "portable executable: wheel and tarball"
if [[ $with_cuda -eq 1 ]]; then cuda=ON; else cuda=OFF; fi
build build-portable portable -DGLASSWORKS_CUDA=$cuda
wheel="$(tools/release/build_wheel.sh --out "$files")" || die "there is no wheel."
tools/release/check_wheel.sh "$wheel" "$work/wheel" || die "the wheel fails."
cpack -G TGZ --config build-portable/CPackConfig.cmake -B "$work/packages" >"$work/tarball.log" 2>&1 || die "cpack fails ($work/tarball.log)."
mv -- "$work"/packages/glassworks-*.tar.gz "$files/glassworks-$version-linux-$(uname -m).tar.gz"
mkdir -- "$work/unpacked"
tar -xzf "$files/glassworks-$version-linux-$(uname -m).tar.gz" -C "$work/unpacked" --strip-components=1
[[ $(env -i "$work/unpacked/bin/glassworks" version | head -n 1) == "glassworks $version ("* ]] || die "the executable of the tarball does not start."

# check_package FILE NAME: fields, files, and a program that starts.
check_package() {
  [[ $(dpkg-deb -f "$1" Package) == "$2" ]] || die "$1 is the package $(dpkg-deb -f "$1" Package), not $2."
  [[ $(dpkg-deb -f "$1" Version) == "$version"* ]] || die "$1 has version $(dpkg-deb -f "$1" Version)."
  dpkg-deb -f "$1" Depends | grep -q 'libc6' || die "$1 depends on no library."
  rm -rf -- "$work/package"
  dpkg-deb -x "$1" "$work/package"
  local file
  for file in bin/glassworks share/man/man1/glassworks-run.1.gz share/bash-completion/completions/glassworks share/doc/glassworks/copyright \
    lib/python3/dist-packages/glassworks share/doc/glassworks/docs/manual/install.md; do
    [[ -e $work/package/usr/$file ]] || die "$1 has no /usr/$file."
  done
  "$work/package/usr/bin/glassworks" version >/dev/null || die "the program of $1 does not start."
  mv -- "$1" "$files/"
}
step "Debian package for processors"
build build-deb release -DGLASSWORKS_CUDA=OFF
(cd build-deb && cpack -G DEB -B "$work/packages") >"$work/deb.log" 2>&1 || die "cpack fails ($work/deb.log)."
check_package "$work"/packages/glassworks_"$version"*.deb glassworks
if [[ $with_cuda -eq 1 ]]; then
  step "Debian package with CUDA"
  build build-deb-cuda release -DGLASSWORKS_CUDA=ON
  (cd build-deb-cuda && cpack -G DEB -B "$work/packages") >"$work/deb-cuda.log" 2>&1 || die "cpack fails ($work/deb-cuda.log)."
  check_package "$work"/packages/glassworks-cuda_"$version"*.deb glassworks-cuda
  [[ $(build-deb-cuda/glassworks version) == *"cuda        1"* ]] || die "build-deb-cuda/glassworks has no CUDA."
fi

step "source tarball"
tools/release/source_tarball.sh "$files" || die "there is no tarball of the sources."

step "documentation site"
tools/docs/build_site.sh --glassworks "$PWD/build-portable/glassworks" --out "$work/site" || die "the site does not build."
tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --transform "s,^site,glassworks-$version-site," \
  -czf "$files/glassworks-$version-site.tar.gz" site

step "checksums"
(cd -- "$files" && sha256sum -- * >SHA256SUMS && sha256sum --quiet -c SHA256SUMS) || die "a file changed while it was read."
cat -- "$files/SHA256SUMS"
mv -- "$files" "$work/site" "$out/"
rm -rf -- "$work"
cat <<END

glassworks $version is ready: $out/files has what is published. Tag the commit and publish the tag:
  git tag -a v$version $commit -m "Glassworks $version"
  git push origin v$version
END
