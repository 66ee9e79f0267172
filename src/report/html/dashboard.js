// Filters the KEPs of a dashboard: their rows in the table, and their details.

const exact = ["sig", "stage", "status"];
const lists = ["state", "actor", "contact", "board", "approver", "prr"];

// What can be searched for is read once: it does not change.
const keps = [...document.querySelectorAll("tr[data-kep]")].map(row => {
  const details = document.getElementById(row.dataset.kep);
  return { row, details, text: `${row.textContent} ${details.textContent}`.toLowerCase() };
});

// How far KEPs are, as the form names it.
const words = Object.fromEntries([...form.elements.state.options].map(option => [option.value, option.text]));
const state = row => row.dataset.state.split("|").pop();

function apply() {
  const choice = chosen();
  const counts = {};
  let seen = 0;
  for (const { row, details, text } of keps) {
    const isShown = exact.every(name => !choice[name] || row.dataset[name] === choice[name])
      && lists.every(name => !choice[name] || row.dataset[name].split("|").includes(choice[name]))
      && choice.words.every(word => text.includes(word));
    row.hidden = !isShown;
    details.hidden = !isShown;
    seen += isShown;
    if (isShown) counts[state(row)] = (counts[state(row)] || 0) + 1;
  }
  const parts = Object.keys(words).filter(value => counts[value]).map(value => `${counts[value]} ${words[value]}`);
  const folded = keps.filter(({ row }) => row.dataset.state === "ready").length;
  const rest = choice.state === "open" && folded ? `; ${folded} ready are folded` : "";
  shown.textContent = `${seen} of ${counted(keps.length, "KEP", "KEPs")} shown${parts.length ? ": " : ""}${parts.join(", ")}${rest}`;
}

// A button copies the comment beside it, or marks it where the browser does not allow that.
for (const button of document.querySelectorAll("button.copy")) {
  const text = document.getElementById(button.dataset.text);
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Marked: copy it";
    }
  });
}

// On paper, what is only folded away is seen.
let folded = false;
addEventListener("beforeprint", () => {
  folded = form.elements.state.value === usual("state");
  if (folded) form.elements.state.value = "";
  apply();
});
addEventListener("afterprint", () => {
  if (folded) form.elements.state.value = usual("state");
  apply();
});

startButtons();
start();
