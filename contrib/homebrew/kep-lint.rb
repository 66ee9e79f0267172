# The formula of a tap. A release fills in what is between `@`s (contrib/release/pin) and has the result as a file.
class KepLint < Formula
  desc "Linter and validator for Kubernetes Enhancement Proposals (KEPs)"
  homepage "https://github.com/@REPOSITORY@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/kep-lint-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/kep-lint-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/kep-lint-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/kep-lint-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "kep-lint"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/kep-lint.bash" => "kep-lint"
    zsh_completion.install "completions/_kep-lint"
    fish_completion.install "completions/kep-lint.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kep-lint --version")
    system bin/"kep-lint", "template", "check"
  end
end
