// Filters the KEPs of a dashboard: their rows in the table, and their details.

const exact = ["sig", "stage", "status"];
const lists = ["state", "actor", "contact", "board", "approver", "prr"];

// What can be searched for is read once: it does not change.
const keps = [...document.querySelectorAll("tr[data-kep]")].map(row => {
  const details = document.getElementById(row.dataset.kep);
  return { row, details, text: `${row.textContent} ${details.textContent}`.toLowerCase() };
});

function apply() {
  const choice = chosen();
  let seen = 0;
  let ready = 0;
  for (const { row, details, text } of keps) {
    const isShown = exact.every(name => !choice[name] || row.dataset[name] === choice[name])
      && lists.every(name => !choice[name] || row.dataset[name].split("|").includes(choice[name]))
      && choice.words.every(word => text.includes(word));
    row.hidden = !isShown;
    details.hidden = !isShown;
    seen += isShown;
    ready += isShown && row.dataset.ready === "yes";
  }
  shown.textContent = `Shown: ${seen} of ${counted(keps.length, "KEP", "KEPs")}, ${ready} ready, ${seen - ready} not ready`;
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
