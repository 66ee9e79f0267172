// Filters the table of rules.

const tables = [...document.querySelectorAll(".category")];
const rows = [...document.querySelectorAll("tbody tr")].map(row => ({ row, text: row.textContent.toLowerCase() }));

function apply() {
  const choice = chosen();
  let count = 0;
  for (const { row, text } of rows) {
    const { fix, active } = row.dataset;
    const isShown = (!choice.fix || fix === choice.fix) && (!choice.active || active === choice.active)
      && choice.words.every(word => text.includes(word));
    row.hidden = !isShown;
    count += isShown;
  }
  for (const table of tables) {
    table.hidden = !table.querySelector("tbody tr:not([hidden])");
  }
  shown.textContent = `Shown: ${count} of ${rows.length} rules`;
}

start();
