#!/usr/bin/env bash

# Copyright The Kubernetes Authors.
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Checks the KEPs that a pull request changes with kep-lint, and reports only
# what the pull request adds. Copy the verify-kep-lint.sh of a release of
# kep-lint to hack/: there the version and the checksums are filled in.
#
#   hack/verify-kep-lint.sh                what changed since the main branch
#   hack/verify-kep-lint.sh --since REF    what changed since REF, old findings included
#   KEP_LINT_ARGS="--fail-on warning" hack/verify-kep-lint.sh
#                                          with further options of kep-lint
#   KEP_LINT=/path/to/kep-lint hack/verify-kep-lint.sh
#                                          with an installed kep-lint
#
# With $ARTIFACTS, it also writes a JUnit report there. The exit status is that
# of kep-lint: 1 if there are findings, 2 if the check could not be completed.

set -o errexit
set -o nounset
set -o pipefail

VERSION="@VERSION@"
REPOSITORY="@REPOSITORY@"
SHA256_LINUX_AMD64="@x86_64-unknown-linux-gnu@"
SHA256_LINUX_ARM64="@aarch64-unknown-linux-gnu@"
SHA256_DARWIN_AMD64="@x86_64-apple-darwin@"
SHA256_DARWIN_ARM64="@aarch64-apple-darwin@"

# With it, `cd` prints where it goes.
unset CDPATH
KUBE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
KEP_LINT_URL=${KEP_LINT_URL:-https://github.com/${REPOSITORY}/releases/download/v${VERSION}}
KEP_LINT_CACHE="${KUBE_ROOT}/bin"

# Ends with an error that the author of a pull request cannot fix.
infrastructure_error() {
  echo "verify-kep-lint: infrastructure error, not a finding in a KEP: $*" >&2
  exit 2
}

sha256_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    infrastructure_error "there is neither sha256sum nor shasum"
  fi
}

# Has the release in the cache, or gets it, and unpacks it.
fetch() {
  local target sha256
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu sha256=${SHA256_LINUX_AMD64} ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu sha256=${SHA256_LINUX_ARM64} ;;
    Darwin-x86_64) target=x86_64-apple-darwin sha256=${SHA256_DARWIN_AMD64} ;;
    Darwin-arm64) target=aarch64-apple-darwin sha256=${SHA256_DARWIN_ARM64} ;;
    *) infrastructure_error "there is no release for $(uname -s) $(uname -m): set KEP_LINT to a kep-lint of your own" ;;
  esac
  case "${VERSION}" in
    @*) infrastructure_error "this copy names no version: take verify-kep-lint.sh of a release, or set KEP_LINT" ;;
  esac
  local archive="kep-lint-${VERSION}-${target}.tar.gz"
  local cached="${KEP_LINT_CACHE}/${archive}"
  mkdir -p "${KEP_LINT_CACHE}" || infrastructure_error "cannot make the directory ${KEP_LINT_CACHE}"
  if [[ ! -f "${cached}" || "$(sha256_of "${cached}")" != "${sha256}" ]]; then
    rm -f "${cached}"
    echo "verify-kep-lint: getting ${KEP_LINT_URL}/${archive}" >&2
    if ! curl --fail --silent --show-error --location --retry 3 --output "${cached}.part" "${KEP_LINT_URL}/${archive}"; then
      rm -f "${cached}.part"
      infrastructure_error "cannot get kep-lint ${VERSION}"
    fi
    local actual
    actual=$(sha256_of "${cached}.part")
    if [[ "${actual}" != "${sha256}" ]]; then
      rm -f "${cached}.part"
      infrastructure_error "${archive} has the checksum ${actual}, expected ${sha256}; it was deleted"
    fi
    mv "${cached}.part" "${cached}"
  fi
  if ! tar -xzf "${cached}" -C "${KEP_LINT_CACHE}" --strip-components=1 "kep-lint-${VERSION}-${target}/kep-lint"; then
    infrastructure_error "cannot unpack ${cached}"
  fi
  KEP_LINT="${KEP_LINT_CACHE}/kep-lint"
}

if [[ -z "${KEP_LINT:-}" ]]; then
  fetch
elif ! command -v "${KEP_LINT}" >/dev/null; then
  infrastructure_error "KEP_LINT is ${KEP_LINT}, which is not a program"
else
  # The working directory changes below.
  case "${KEP_LINT}" in
    /*) ;;
    */*) KEP_LINT="$(pwd)/${KEP_LINT}" ;;
  esac
fi

if [[ $# -eq 0 ]]; then
  # A pull request cannot switch off its own check: the configuration is that of the branch that it is for.
  set -- --since auto --new-only --config-from base
fi
read -r -d '' -a more <<<"${KEP_LINT_ARGS:-}" || true
# An older bash takes an empty array for an unset one.
set -- "$@" ${more[@]+"${more[@]}"}
case " $*" in
  *" --level"*) ;;
  # What needs no action is not what a log is for.
  *) set -- "$@" --level warning ;;
esac
echo "verify-kep-lint: kep-lint $*"
if [[ -n "${ARTIFACTS:-}" ]]; then
  mkdir -p "${ARTIFACTS}" || infrastructure_error "cannot make the directory ${ARTIFACTS}"
  artifacts=$(cd "${ARTIFACTS}" && pwd)
  set -- "$@" --format pretty --format "junit=${artifacts}/junit_kep-lint.xml"
fi

cd "${KUBE_ROOT}"
status=0
# Findings are printed as they come; the messages, which end with the counts, follow them.
{ messages=$("${KEP_LINT}" "$@" 2>&1 >&3) || status=$?; } 3>&1
if [[ -n "${messages}" ]]; then
  echo "${messages}"
fi
case ${status} in
  0) ;;
  1)
    reason="the findings above"
    if [[ "${messages}" =~ :\ (([0-9]+)\ errors?),\ (([0-9]+)\ warnings?), ]]; then
      if [[ "${BASH_REMATCH[2]}" -gt 0 ]]; then
        reason=${BASH_REMATCH[1]}
      elif [[ "${BASH_REMATCH[4]}" -gt 0 ]]; then
        reason=${BASH_REMATCH[3]}
      fi
    fi
    program=${KEP_LINT#"${KUBE_ROOT}/"}
    fixes=""
    # shellcheck disable=SC2016 # the messages have backticks
    case "${messages}" in
      *'can be fixed with `--fix`'*) fixes="
  ${program} --since auto --new-only --fix
    fixes what is marked [fix]" ;;
      *'can be fixed with `--fix --unsafe-fixes`'*) fixes="
  ${program} --since auto --new-only --fix --unsafe-fixes
    fixes what is marked [unsafe fix]; review the result" ;;
    esac
    cat <<EOF

verify-kep-lint: FAILED because of ${reason}. In a clone:

  hack/verify-kep-lint.sh
    checks again, and gets kep-lint if it is not there
  ${program} explain RULE
    tells why a rule exists, with examples${fixes}

If a finding is wrong or has to stay, say why in a comment before it:
<!-- kep-lint-ignore RULE: reason --> in Markdown, # kep-lint-ignore RULE: reason in YAML.
EOF
    ;;
  *)
    echo
    infrastructure_error "kep-lint could not complete the check (exit status ${status}); the error above says why"
    ;;
esac
exit "${status}"
