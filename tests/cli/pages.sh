#!/usr/bin/env bash
# Completion and manual pages: they parse in their shells and in man, complete what they should, and name every option that
# the help names.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

mapfile -t verbs < <("$glassworks" --help | sed -n 's/^  glassworks \([a-z]*\).*/\1/p' | grep -vx -e help -e version)
[[ ${#verbs[@]} -ge 16 ]] || fail "--help shows ${#verbs[@]} verbs"
# options_of VERB: every option of its help.
options_of() { "$glassworks" "$1" --help | sed -n '/^Usage/,/^Keys:/s/^  \(--[A-Za-z0-9-]*\).*/\1/p'; }

# --- completion ---
for shell in bash zsh fish; do
  "$glassworks" describe completion $shell >completion.$shell || fail "completion of $shell ended with status $?"
  for verb in "${verbs[@]}"; do
    for option in $(options_of "$verb"); do
      word="--${option#--}"
      if [[ $shell == fish ]]; then word="from $verb' -l ${option#--} "; fi
      grep -qF -- "$word" completion.$shell || fail "completion of $shell does not name $verb $option"
    done
  done
  if command -v $shell >/dev/null; then
    $shell -n completion.$shell || fail "$shell cannot parse its completion"
  else
    skip_part "$shell is not installed"
  fi
done
mkdir -p files/folder
touch files/first.cfg
# completes "LINE" WORD...: what bash offers at the end of the line is exactly this. Like the shell, "=" is a word.
completes() {
  local line="$1" offered
  shift
  offered="$(cd files && bash -c '
    source ../completion.bash
    line="${1//=/ = }"
    read -ra COMP_WORDS <<<"$line"
    if [[ $line == *" " ]]; then COMP_WORDS+=(""); fi
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _glassworks
    printf "%s\n" "${COMPREPLY[@]}"' bash "$line" | sort | tr '\n' ' ')"
  [[ "$offered" == "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" ]] || fail "'$line' is completed to '$offered' instead of '$*'"
}
completes 'glassworks re' report
completes 'glassworks analyze --c' --csv --converged-only --covariance
completes 'glassworks plot folder --format ' pdf svg png eps
completes 'glassworks plot folder --format=p' pdf png
completes 'glassworks run first.cfg --ladder.T_' --ladder.T_min --ladder.T_max
completes 'glassworks run first.cfg --backend.kind=c' cpu cuda
completes 'glassworks run first.cfg --backend.kind c' cpu cuda
completes 'glassworks run f' first.cfg folder
completes 'glassworks status f' folder
completes 'glassworks analyze folder --csv f' first.cfg folder
completes 'glassworks describe completion z' zsh
completes 'glassworks describe m' man
completes 'glassworks help wa' watch
completes 'glassworks watch folder --interval ' ''
refused "completion for another shell" 'no completion for .tcsh.' "$glassworks" describe completion tcsh
refused "completion for no shell" 'needs a shell' "$glassworks" describe completion
if command -v fish >/dev/null; then
  [[ $(fish -c 'source completion.fish; complete -C "glassworks plot x --format p"' | cut -f1 | sort | tr '\n' ' ') == "pdf png " ]] ||
    fail "fish completes something else"
fi
echo "ok   completion"

# --- manual pages ---
for verb in '' "${verbs[@]}"; do
  "$glassworks" describe man $verb >page.1 || fail "describe man $verb ended with status $?"
  if command -v man >/dev/null; then
    MANWIDTH=100 man --warnings -E UTF-8 -l page.1 >page.txt 2>page.err || fail "man of '$verb': $(cat page.err)"
    [[ ! -s page.err ]] || fail "man warns of the page of '$verb': $(cat page.err)"
    if [[ -n $verb ]]; then
      for option in $(options_of "$verb"); do
        grep -qF -- "$option" page.txt || fail "the page of $verb does not name $option"
      done
    fi
  fi
  if command -v mandoc >/dev/null; then
    # Without a date pages are the same on every day.
    warnings="$(mandoc -T lint -W warning page.1 | grep -v 'missing date' || true)"
    [[ -z $warnings ]] || fail "mandoc warns of the page of '$verb': $warnings"
  fi
done
command -v man >/dev/null || skip_part "man is not installed"
refused "a manual page of no verb" 'Did you mean report' "$glassworks" describe man reprot
refused "a second word behind keys" 'it is one page' "$glassworks" describe keys bash
echo "ok   manual pages"
