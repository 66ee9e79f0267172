#!/usr/bin/env bash
# Generates the seeds of each target from the fixtures. Inputs that fuzzing has found are kept.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p corpus/{lint,fix,template,yaml,documents}

# Prints the files of an input, separated by a byte 1e.
separated() {
  local file first=yes
  for file in "$@"; do
    [ -n "$first" ] || printf '\036'
    first=
    if [ -f "$file" ]; then cat "$file"; fi
  done
}

# The files of each case of the fixtures, which are fences of Markdown.
cases=$(mktemp -d)
trap 'rm -r "$cases"' EXIT
awk -v folder="$cases" '
  /^````/ && out { close(out); out = ""; next }
  out { print > out; next }
  /^# / || /^## / { number++ }
  /^````/ {
    name = $2
    sub(/,$/, "", name)
    if (name == "" || name == "findings" || name == "directives") { out = "/dev/null"; next }
    if (name == "template") name = "template.md"
    out = sprintf("%s/%05d/%s", folder, number, name)
    system("mkdir -p \"$(dirname \"" out "\")\"")
    printf "" > out
  }
' ../fixtures/rules/*.md ../fixtures/directives.md

previous=
count=0
while IFS= read -r readme; do
  folder=$(dirname "$readme")
  count=$((count + 1))
  separated "$readme" "$folder/kep.yaml" >"corpus/lint/$count"
  cp "corpus/lint/$count" "corpus/fix/$count"
  separated "$readme" "${previous:-$readme}" "$readme" "${previous:-$readme}" >"corpus/documents/$count"
  if [ -f "$folder/kep.yaml" ]; then cp "$folder/kep.yaml" "corpus/yaml/$count"; fi
  previous=$readme
done < <(find "$cases" ../fixtures -name README.md | sort)

while IFS= read -r template; do
  count=$((count + 1))
  separated "$template" "$previous" >"corpus/template/$count"
done < <(find "$cases" ../templates -name template.md -o -name kep.md | sort)
