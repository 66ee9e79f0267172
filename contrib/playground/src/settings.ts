// What a KEP is checked for: stage and release as switches, the rules, and a configuration file.
import type { About, Settings } from "./contract";
import { open } from "./dialog";
import { button, element, found, printable } from "./dom";

export class SettingsForm {
  private readonly form = found<HTMLFormElement>("settings");
  private readonly stage = this.form.elements.namedItem("stage") as RadioNodeList;
  private readonly release = found<HTMLSelectElement>("release");
  private readonly preset = found<HTMLSelectElement>("preset");
  private config: string | null = null;
  private configName = "";
  private level: string | null = null;
  private select: string[] | null = null;

  constructor(private readonly changed: () => void) {
    this.form.addEventListener("change", () => this.changed());
    this.form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Offers what the engine knows. */
  fill(about: About): void {
    this.release.append(...about.releases.map((release) => element("option", { value: release }, release)));
  }

  settings(): Settings {
    return {
      stage: this.stage.value || null,
      release: this.release.value || null,
      preset: this.preset.value || null,
      level: this.level,
      config: this.config,
      select: this.select,
    };
  }

  /** Sets what is given; values that are not offered are left out. */
  set({ stage, release, preset, level, config, select }: Partial<Settings>): void {
    const stages = [...this.stage] as HTMLInputElement[];
    for (const it of stages) {
      it.checked = it.value === (stages.some(({ value }) => value === stage) ? stage : "");
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
    const { config, select, level } = this;
    const part = (words: string, name: string, without: Partial<Settings>, ...more: Node[]) => {
      const press = () => {
        this.set({ ...this.settings(), ...without });
        this.changed();
      };
      return [printable(words), " ", ...more.flatMap((it) => [it, " "]), button(name, press), " "];
    };
    const show = () => open("Configuration", element("pre", { tabindex: 0 }, printable(config ?? "")));
    found("config").replaceChildren(
      ...(config === null
        ? []
        : part(
            `Configuration: ${this.configName}`,
            "Remove the configuration",
            { config: null },
            button("Show", show),
          )),
      ...(select ? part(`Checked is only: ${select.join(", ")}`, "Check all rules", { select: null }) : []),
      ...(level ? part(`Shown from severity: ${level}`, "Show all severities", { level: null }) : []),
    );
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
