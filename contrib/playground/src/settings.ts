// What a KEP is checked for: stage and release as switches, the rules, and a configuration file.
import type { About, Settings } from "./contract";
import { open } from "./dialog";
import { button, element, found, printable } from "./dom";
import { wordOf } from "./findings";

export class SettingsForm {
  private config: string | null = null;
  private configName = "";
  private level: string | null = null;
  private select: string[] | null = null;

  constructor(private readonly changed: () => void) {
    const form = found<HTMLFormElement>("settings");
    form.addEventListener("change", () => this.changed());
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Offers what the engine knows. */
  fill(about: About): void {
    const newest = Number(/^v1\.(\d{1,3})$/.exec(about.release ?? "")?.[1] ?? 36);
    const releases = [2, 1, 0, -1, -2, -3].map((more) => `v1.${newest + more}`);
    this.release.append(...releases.map((release) => element("option", { value: release }, release)));
  }

  settings(): Settings {
    return {
      stage: this.stage?.value || null,
      release: this.release.value || null,
      preset: this.preset.value || null,
      level: this.level,
      config: this.config,
      select: this.select,
    };
  }

  /** Sets what is given; values that are not offered are left out. */
  set({ stage, release, preset, level, config, select }: Partial<Settings>): void {
    const radios = found("stages").querySelectorAll<HTMLInputElement>("input");
    for (const radio of radios) {
      radio.checked = radio.value === (stage ?? "");
    }
    if (!this.stage && radios[0]) {
      radios[0].checked = true;
    }
    choose(this.release, release ?? "", /^v1\.\d{1,3}$/);
    choose(this.preset, preset ?? "", null);
    this.level = level || null;
    this.select = select ?? null;
    this.useConfig(config ?? null, this.config === config ? this.configName : "that of a link");
  }

  /** Uses a configuration file, which can be taken away again; `name` says where it is from. */
  useConfig(text: string | null, name: string): void {
    this.config = text;
    this.configName = name;
    this.showParts();
  }

  /** What is not seen in the form, each with a button that takes it away. */
  private showParts(): void {
    const part = (words: string, name: string, remove: () => void) => {
      const press = () => {
        remove();
        this.showParts();
        this.changed();
      };
      return [words, button(name, press), " "];
    };
    const show = () => open("Configuration", element("pre", { tabindex: 0 }, printable(this.config ?? "")));
    const words = `Configuration: ${printable(this.configName)} `;
    const config = [
      words,
      button("Show", show),
      ...part(" ", "Remove the configuration", () => {
        this.config = null;
      }),
    ];
    const select = part(`Checked is only: ${printable(this.select?.join(", ") ?? "")} `, "Check all rules", () => {
      this.select = null;
    });
    const level = part(`Shown from severity: ${printable(wordOf(this.level ?? ""))} `, "Show all severities", () => {
      this.level = null;
    });
    const parts = [
      ...(this.config === null ? [] : config),
      ...(this.select === null ? [] : select),
      ...(this.level === null ? [] : level),
    ];
    found("config").replaceChildren(...parts);
  }

  private get stage(): HTMLInputElement | null {
    return found("stages").querySelector<HTMLInputElement>("input:checked");
  }

  private get release(): HTMLSelectElement {
    return found("release");
  }

  private get preset(): HTMLSelectElement {
    return found("preset");
  }
}

/** Chooses a value; one that is not offered is added if it is of that form. */
function choose(select: HTMLSelectElement, value: string, form: RegExp | null): void {
  const isOffered = [...select.options].some((option) => option.value === value);
  if (!isOffered && form?.test(value)) {
    select.append(element("option", { value }, value));
  }
  select.value = isOffered || form?.test(value) ? value : "";
}
