// The review page without reloads: keyboard shortcuts, selecting words, and actions that count once the server confirms.
"use strict";

let editing = null; // {first, last, anchor, focus, spans} while an edit is open
let requests = 0; // of several pages under way, only the one requested last is shown

const $ = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];

// The server sends whole pages; the new body replaces the current one.
async function swap(request) {
  const number = ++requests;
  const failure = request instanceof Request ? "Not saved." : "Not loaded.";
  document.body.classList.add("waiting");
  try {
    const response = await fetch(request);
    const text = await response.text();
    if (number !== requests) {
      return;
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    if (page.querySelector("main")) {
      show(page);
      if (response.ok) {
        history.replaceState(null, "", withoutToken(response.url));
      }
    } else {
      complain(`${failure} ${text}`); // plain text, for instance because a restarted server has a new access key
    }
  } catch (error) {
    complain(`${failure} The server is not responding. Restart it and try again.`);
  } finally {
    if (number === requests) {
      document.body.classList.remove("waiting");
    }
  }
}

function show(page) {
  editing = null;
  document.body.classList.remove("editing");
  document.title = page.title;
  document.body.replaceChildren(...page.body.childNodes);
  const first = $("[autofocus]");
  if (first) {
    first.focus();
  }
}

// The rest of the page stays as it is, so no input is lost.
function complain(message) {
  const failure = $("#failure");
  if (failure) {
    failure.textContent = message;
    failure.hidden = false;
  }
}

function withoutToken(address) {
  const url = new URL(address, location.href);
  url.searchParams.delete("token");
  url.searchParams.delete("done");
  return url.pathname + url.search;
}

function send(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  const action = (submitter && submitter.getAttribute("formaction")) || form.getAttribute("action");
  if (editing && fields.get("verdict") === "edited") {
    fields.set("spans", JSON.stringify(editing.spans));
  }
  if (form.method === "get") {
    return swap(`${action}?${fields}`);
  }
  return swap(new Request(action, { method: "POST", body: fields }));
}

document.addEventListener("submit", (event) => {
  if (event.target.classList.contains("swapped")) {
    event.preventDefault();
    if (!document.body.classList.contains("waiting")) {
      send(event.target, event.submitter);
    }
  }
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("form.filter");
  if (form) {
    send(form, null);
  }
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.swapped");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    swap(link.href);
  } else if (event.target.closest("#edit")) {
    beginEdit();
  } else if (event.target.closest("#show-keys")) {
    $("#keys").showModal();
  } else if (event.target.closest("#cancel")) {
    swap(location.href);
  } else if (event.target.closest(".choose")) {
    choose(event.target.closest(".choose"));
  }
});

// Keys

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.body.classList.contains("waiting")) {
    return;
  }
  if ($("dialog[open]")) {
    if (event.key === "?") {
      $("dialog[open]").close(); // the browser closes it on Escape
    }
    return;
  }
  if (event.target.closest("input:not([type=checkbox]), textarea, select")) {
    if (event.key === "Escape") {
      event.target.blur();
    }
    return;
  }
  if (editing) {
    editKey(event);
    return;
  }
  if (event.target.closest("button, a") && (event.key === "Enter" || event.key === " ")) {
    return; // the focused element handles these keys itself
  }
  press(event, `[data-key="${CSS.escape(event.key)}"]`);
});

function press(event, selector) {
  const target = $(selector);
  if (!target || target.disabled) {
    return;
  }
  event.preventDefault();
  if (target.matches("input, textarea")) {
    target.focus();
  } else {
    target.click();
  }
}

// Editing: a copy of all entities of the sentence, changed by selecting words and choosing a type for them

function beginEdit() {
  const sentence = $("#sentence");
  const first = Number(sentence.dataset.first);
  const end = Number(sentence.dataset.end);
  const spans = JSON.parse(sentence.dataset.working);
  const inside = spans.find((span) => span[0] < end && span[1] > first);
  editing = { first: inside ? inside[0] : first, last: (inside ? inside[1] : end) - 1, spans };
  editing.focus = editing.last;
  editing.anchor = editing.first;
  document.body.classList.add("editing");
  $(".edit-panel").hidden = false;
  $(".verdicts").hidden = true;
  $("#below-name").textContent = "edited";
  draw();
}

function editKey(event) {
  const name = event.shiftKey && event.key === "Enter" ? "Shift+Enter" : event.key;
  const isRightToLeft = getComputedStyle($("#sentence")).direction === "rtl";
  const forward = isRightToLeft ? "ArrowLeft" : "ArrowRight";
  const back = isRightToLeft ? "ArrowRight" : "ArrowLeft";
  if (event.key === forward || event.key === back) {
    event.preventDefault();
    const count = all(".token").length;
    editing.focus = Math.min(count - 1, Math.max(0, editing.focus + (event.key === forward ? 1 : -1)));
    if (!event.shiftKey) {
      editing.anchor = editing.focus;
    }
    select(editing.anchor, editing.focus);
  } else if (event.key === "Delete" || event.key === "Backspace") {
    press(event, '[data-edit-key="0"]');
  } else {
    press(event, `[data-edit-key="${CSS.escape(name)}"]`);
  }
}

function select(anchor, focus) {
  Object.assign(editing, { anchor, focus, first: Math.min(anchor, focus), last: Math.max(anchor, focus) });
  draw();
}

function choose(button) {
  if (!editing) {
    return;
  }
  const { first, last } = editing;
  editing.spans = editing.spans.filter((span) => span[1] <= first || span[0] > last);
  if (button.dataset.type) {
    editing.spans.push([first, last + 1, button.dataset.type]);
    editing.spans.sort((left, right) => left[0] - right[0]);
  }
  draw();
}

function draw() {
  const colours = Object.fromEntries(all(".choose[data-colour]").map((b) => [b.dataset.type, b.dataset.colour]));
  all(".token").forEach((token, number) => {
    token.classList.toggle("selected", number >= editing.first && number <= editing.last);
    const span = editing.spans.find((one) => one[0] <= number && number < one[1]);
    const cell = token.querySelector(".below");
    cell.className = "mark below";
    cell.textContent = "";
    if (span) {
      cell.classList.add(`colour-${colours[span[2]] || 0}`);
      cell.classList.toggle("begins", span[0] === number);
      cell.classList.toggle("ends", span[1] - 1 === number);
      cell.textContent = span[0] === number ? span[2] : "";
    }
  });
}

function tokenAt(event) {
  const target = document.elementFromPoint(event.clientX, event.clientY);
  const token = target && target.closest(".token");
  return token ? Number(token.dataset.token) : null;
}

document.addEventListener("pointerdown", (event) => {
  const number = editing && event.button === 0 && event.target.closest(".token") ? tokenAt(event) : null;
  if (number !== null) {
    event.preventDefault();
    editing.isDragging = true;
    select(event.shiftKey ? editing.anchor : number, number);
  }
});

document.addEventListener("pointermove", (event) => {
  const number = editing && editing.isDragging ? tokenAt(event) : null;
  if (number !== null) {
    select(editing.anchor, number);
  }
});

document.addEventListener("pointerup", () => {
  if (editing) {
    editing.isDragging = false;
  }
});

history.replaceState(null, "", withoutToken(location.href));
