"use strict";
// Filters what is seen. The choice is in the URL after `#`, so that a filtered view can be linked to.

const form = document.getElementById("filters");
const shown = document.getElementById("shown");
const ranks = ["advice", "warning", "error"];
const columns = ["sig", "status", "stage"];

// What can be searched for is read once: it does not change.
const findings = kep => [...kep.querySelectorAll(".finding")].map(element => ({
  element,
  rule: element.dataset.rule,
  severity: element.dataset.severity,
  count: Number(element.dataset.count),
  text: element.textContent.toLowerCase(),
}));
const keps = [...document.querySelectorAll(".kep")].map(element => ({
  element,
  text: [".kep > summary", ".about"].map(part => element.querySelector(part).textContent).join(" ").toLowerCase(),
  findings: findings(element),
  part: element.querySelector(".part"),
}));

function apply() {
  const chosen = Object.fromEntries(new FormData(form));
  const words = chosen.text.toLowerCase().split(/\s+/).filter(word => word);
  const least = ranks.indexOf(chosen.severity);
  const counts = { error: 0, warning: 0, advice: 0 };
  let seen = 0;
  for (const kep of keps) {
    const isMeant = columns.every(name => !chosen[name] || kep.element.dataset[name] === chosen[name]);
    const hasWords = text => words.every(word => text.includes(word));
    let some = 0;
    if (isMeant && !kep.findings.length && !chosen.rule && least < 0 && hasWords(kep.text)) some = 1;
    for (const finding of kep.findings) {
      const isShown = isMeant
        && (!chosen.rule || finding.rule === chosen.rule)
        && ranks.indexOf(finding.severity) >= least
        && hasWords(kep.text + " " + finding.text);
      finding.element.hidden = !isShown;
      if (isShown) {
        some += 1;
        counts[finding.severity] += finding.count;
      }
    }
    kep.element.hidden = !some;
    kep.part.textContent = some < kep.findings.length ? ` (${some} shown)` : "";
    seen += some > 0 && "kep" in kep.element.dataset;
  }
  const all = keps.filter(kep => "kep" in kep.element.dataset).length;
  const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;
  shown.textContent = `Shown: ${seen} of ${counted(all, "KEP", "KEPs")}, with `
    + `${counted(counts.error, "error", "errors")}, ${counted(counts.warning, "warning", "warnings")}, `
    + `${counted(counts.advice, "advice finding", "advice findings")}`;
}

function write() {
  const chosen = [...new FormData(form)].filter(([, value]) => value);
  const hash = chosen.length ? "#" + new URLSearchParams(chosen) : location.pathname + location.search;
  history.replaceState(null, "", hash);
}

// A hash is either a choice, or the id of a KEP or a finding.
function read() {
  const hash = location.hash.slice(1);
  if (hash.includes("=")) {
    choose(new URLSearchParams(hash));
    form.scrollIntoView();
    return;
  }
  const element = hash && document.getElementById(hash);
  if (!element || element.closest("[hidden]")) choose(new URLSearchParams());
  if (element) show(element);
}

function choose(chosen) {
  for (const field of form.querySelectorAll("[name]")) {
    const value = chosen.get(field.name) || "";
    // A value that does not occur any more must show nothing, not everything.
    if (field.options && ![...field.options].some(option => option.value === value)) {
      field.add(new Option(value, value));
    }
    field.value = value;
  }
  apply();
}

function show(element) {
  for (let outer = element; outer; outer = outer.parentElement) {
    if (outer.localName === "details") outer.open = true;
  }
  element.scrollIntoView();
}

function openAll(isOpen) {
  for (const kep of keps) {
    if (!kep.element.hidden) kep.element.open = isOpen;
  }
}

for (const cell of document.querySelectorAll("[data-key]")) {
  const link = document.createElement("a");
  link.href = "#" + new URLSearchParams([[cell.dataset.key, cell.dataset.value]]);
  link.append(cell.firstChild);
  cell.prepend(link);
}
form.hidden = false;
apply();
form.addEventListener("input", () => { apply(); write(); });
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", () => setTimeout(() => { apply(); write(); }));
document.getElementById("open").addEventListener("click", () => openAll(true));
document.getElementById("close").addEventListener("click", () => openAll(false));
addEventListener("hashchange", read);

// On paper, everything is open; what was closed is closed again afterwards.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
});
read();
