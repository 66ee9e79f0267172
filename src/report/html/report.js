// Filters the entries and findings of a report.

const ranks = ["suggestion", "warning", "error"];
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
  const choice = chosen();
  const least = ranks.indexOf(choice.severity);
  const counts = { error: 0, warning: 0, suggestion: 0 };
  let seen = 0;
  for (const kep of keps) {
    const isMeant = columns.every(name => !choice[name] || kep.element.dataset[name] === choice[name]);
    const hasWords = text => choice.words.every(word => text.includes(word));
    let some = 0;
    if (isMeant && !kep.findings.length && !choice.rule && least < 0 && hasWords(kep.text)) some = 1;
    for (const finding of kep.findings) {
      const isShown = isMeant
        && (!choice.rule || finding.rule === choice.rule)
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
  shown.textContent = `Shown: ${seen} of ${all}, with `
    + `${counted(counts.error, "error", "errors")}, ${counted(counts.warning, "warning", "warnings")}, `
    + `${counted(counts.suggestion, "suggestion", "suggestions")}`;
}

startButtons();
start();
