// Stands for @codemirror/lang-html, which Markdown asks for: HTML is text without colors or completion.
import { LanguageSupport, StreamLanguage } from "@codemirror/language";

const plain = StreamLanguage.define({
  token: (stream) => {
    stream.skipToEnd();
    return null;
  },
});

export function html(): LanguageSupport {
  return new LanguageSupport(plain);
}

export function htmlCompletionSource(): null {
  return null;
}
