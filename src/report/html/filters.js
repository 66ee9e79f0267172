"use strict";
// What the filters of all pages share. A page's own script follows: its `apply` shows what is chosen, and it calls `start`.
// The choice is in the URL after `#`, so that a filtered view can be linked to.

const form = document.getElementById("filters");
const shown = document.getElementById("shown");

const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

function chosen() {
  const fields = Object.fromEntries(new FormData(form));
  return { ...fields, words: fields.text.toLowerCase().split(/\s+/).filter(word => word) };
}

// What a field has where the address says nothing of it.
const usual = name => form.elements[name].dataset.usual || "";

function write() {
  const fields = [...new FormData(form)].filter(([name, value]) => value !== usual(name));
  const hash = fields.length ? "#" + new URLSearchParams(fields) : location.pathname + location.search;
  history.replaceState(null, "", hash);
}

// A hash is either a choice, or the id of an element.
function read() {
  const hash = location.hash.slice(1);
  if (hash.includes("=")) {
    choose(new URLSearchParams(hash));
    form.scrollIntoView();
    return;
  }
  const element = hash && document.getElementById(hash);
  if (!element) choose(new URLSearchParams());
  else if (element.closest("[hidden]")) showAll();
  if (element) show(element);
}

function showAll() {
  for (const field of form.querySelectorAll("[name]")) field.value = "";
  apply();
}

function choose(fields) {
  for (const field of form.querySelectorAll("[name]")) {
    const value = fields.get(field.name) ?? usual(field.name);
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

function start() {
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
  form.addEventListener("reset", () => setTimeout(() => { showAll(); write(); }));
  addEventListener("hashchange", read);
  read();
}

// The buttons that open and close all that are seen.
function startButtons() {
  const openAll = isOpen => {
    for (const kep of document.querySelectorAll(".kep:not([hidden])")) kep.open = isOpen;
  };
  document.getElementById("open").addEventListener("click", () => openAll(true));
  document.getElementById("close").addEventListener("click", () => openAll(false));
}

// On paper, everything is open; what was closed is closed again afterwards.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
});
