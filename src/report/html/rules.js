"use strict";
// Filters the table of rules. The choice is in the URL after `#`, so that a filtered table can be linked to.

const form = document.getElementById("filters");
const shown = document.getElementById("shown");
const tables = [...document.querySelectorAll(".category")];
const rows = [...document.querySelectorAll("tbody tr")].map(row => ({ row, text: row.textContent.toLowerCase() }));

function apply() {
  const chosen = Object.fromEntries(new FormData(form));
  const words = chosen.text.toLowerCase().split(/\s+/).filter(word => word);
  let count = 0;
  for (const { row, text } of rows) {
    const { fix, active } = row.dataset;
    const isShown = (!chosen.fix || fix === chosen.fix) && (!chosen.active || active === chosen.active)
      && words.every(word => text.includes(word));
    row.hidden = !isShown;
    count += isShown;
  }
  for (const table of tables) {
    table.hidden = !table.querySelector("tbody tr:not([hidden])");
  }
  shown.textContent = `Shown: ${count} of ${rows.length} rules`;
}

function write() {
  const chosen = [...new FormData(form)].filter(([, value]) => value);
  const hash = chosen.length ? "#" + new URLSearchParams(chosen) : location.pathname + location.search;
  history.replaceState(null, "", hash);
}

function read() {
  const hash = location.hash.slice(1);
  const chosen = new URLSearchParams(hash.includes("=") ? hash : "");
  for (const field of form.querySelectorAll("[name]")) {
    const value = chosen.get(field.name) || "";
    if (field.options && ![...field.options].some(option => option.value === value)) {
      field.add(new Option(value, value));
    }
    field.value = value;
  }
  apply();
}

form.hidden = false;
form.addEventListener("input", () => { apply(); write(); });
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", () => setTimeout(() => { apply(); write(); }));
addEventListener("hashchange", read);
read();
