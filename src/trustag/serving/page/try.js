"use strict";

const byId = (name) => document.getElementById(name);
const COLOURS = ["#3b82f6", "#f59e0b", "#10b981", "#ec4899", "#8b5cf6", "#ef4444", "#14b8a6", "#a3a300"];
const colours = new Map();

function colourOf(label) {
  if (!colours.has(label)) colours.set(label, COLOURS[colours.size % COLOURS.length]);
  return colours.get(label);
}

function headers() {
  const token = byId("token").value.trim();
  return token ? { Authorization: `Bearer ${token}` } : {};
}

function say(words, isWrong = false) {
  byId("status").textContent = words;
  byId("status").classList.toggle("wrong", isWrong);
}

async function answer(response) {
  const found = await response.json();
  if (response.status === 401) {
    byId("key").classList.add("needed");
    byId("token").focus();
  }
  if (!response.ok) throw new Error(found.error);
  return found;
}

// Offsets count code points, which are not the units of a string here.
function show(text, entities) {
  const characters = Array.from(text);
  const marked = byId("marked");
  const rows = byId("found").tBodies[0];
  marked.replaceChildren();
  rows.replaceChildren();
  let before = 0;
  for (const entity of entities) {
    marked.append(characters.slice(before, entity.start).join(""));
    const mark = document.createElement("mark");
    mark.style.setProperty("--kind", colourOf(entity.label));
    mark.style.setProperty("--sure", `${Math.round(15 + 45 * entity.score)}%`);
    mark.title = `${(100 * entity.score).toFixed(1)} %`;
    const kind = document.createElement("small");
    kind.textContent = entity.label;
    mark.append(entity.text, kind);
    marked.append(mark);
    before = entity.end;
    const row = rows.insertRow();
    for (const value of [entity.text, entity.label, `${(100 * entity.score).toFixed(1)} %`, `${entity.start}–${entity.end}`]) {
      row.insertCell().textContent = value;
    }
  }
  marked.append(characters.slice(before).join(""));
  byId("found").hidden = !entities.length;
}

async function ask(event) {
  event.preventDefault();
  const text = byId("text").value;
  const query = JSON.stringify({ text, min_score: Number(byId("least").value) / 100 });
  say("…");
  try {
    const sent = { method: "POST", body: query, headers: { "Content-Type": "application/json", ...headers() } };
    const { entities } = await answer(await fetch("/predict", sent));
    show(text, entities);
    say(entities.length === 1 ? "1 entity" : `${entities.length} entities`);
    const quoted = query.replaceAll("'", "'\\''");
    const key = byId("token").value ? ' -H "Authorization: Bearer $TOKEN"' : "";
    byId("request").hidden = false;
    byId("request").querySelector("pre").textContent =
      `curl ${location.origin}/predict${key} -H 'Content-Type: application/json' -d '${quoted}'`;
  } catch (problem) {
    say(problem.message, true);
  }
}

async function introduce() {
  try {
    const card = await answer(await fetch("/model", { headers: headers() }));
    byId("about").textContent = `It finds ${card.types.join(", ")}.`;
    say("");
  } catch (problem) {
    say(problem.message, true);
  }
}

byId("ask").addEventListener("submit", ask);
byId("token").addEventListener("change", introduce);
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("ask").requestSubmit();
});
introduce();
