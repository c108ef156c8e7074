#!/usr/bin/env bash
# Files that commands write: beside the campaign unless named, never over another file unless asked, refused with status 2
# before anything is computed. tests/tools/output_options_test.cpp tries every option.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

write_config small.cfg
run_quietly small.cfg small
quick=(--temperatures 5 --blocks 2)

# kept FILE WHAT COMMAND...: refuses to write over FILE, which stays; --force replaces it.
kept() {
  local file="$1" what="$2"
  shift 2
  [[ -f $file ]] || fail "$what: there is no $file"
  echo precious >"$file"
  unusable "$what again" "$file exists already .*--force" "$@"
  [[ $(cat "$file") == precious ]] || fail "$what: $file was overwritten"
  "$@" --force >force.log 2>&1 || fail "$what --force: $(cat force.log)"
  [[ $(head -c 8 "$file") != precious ]] || fail "$what --force: $file was not replaced"
}
# twice FILE WHAT COMMAND...: writes FILE, then the same as kept.
twice() {
  local file="$1" what="$2"
  "${@:3}" >first.log 2>&1 || fail "$what: $(cat first.log)"
  kept "$@"
}

twice small/report.html "report" "$glassworks" report small "${quick[@]}"
if command -v gnuplot >/dev/null; then
  twice small/figures/energy.svg "plot" "$glassworks" plot small "${quick[@]}" --figures energy --format svg
  "$glassworks" plot small "${quick[@]}" --figures acceptance --format svg >/dev/null || fail "plot of another figure"
else
  skip_part "gnuplot is not installed"
fi
"$glassworks" export small --csv >/dev/null || fail "export"
[[ -f small/export/results.csv ]] || fail "export goes elsewhere"
unusable "export again" 'holds an export.*--force' "$glassworks" export small --csv
"$glassworks" export small --csv --force >/dev/null || fail "export --force"
clean small "a campaign with reports"
echo "ok   files that exist"

mkdir numbers
touch table.csv
ln -s gone.csv dangling.csv
unusable "a link to nothing" 'dangling.csv exists already' "$glassworks" analyze small --csv dangling.csv
unusable "a missing directory" "'nowhere/table.csv' \\(there is no directory" "$glassworks" analyze small --csv nowhere/table.csv
unusable "a directory as file" "it is a directory" "$glassworks" report small --out numbers
unusable "a file as directory" "it is no directory" "$glassworks" plot small --out table.csv
unusable "no name" "it does not end in a file name" "$glassworks" report small --out ''
unusable "numbers into a file" "table.csv" "$glassworks" report small "${quick[@]}" --out new.html --csv table.csv
[[ ! -e new.html ]] || fail "a report was written though its numbers could not be"
echo "ok   files that cannot be"
