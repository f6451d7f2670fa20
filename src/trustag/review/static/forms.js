// The page of a form: moving through its places and marking exceptions by keyboard.
"use strict";

(() => {
  const boxes = () => [...document.querySelectorAll(".places input:not(:disabled)")];

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector("dialog[open]")) {
      return;
    }
    const all = boxes();
    const current = all.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length) {
      event.preventDefault();
      const next = current < 0 ? (step > 0 ? 0 : all.length - 1) : current + step;
      all[Math.min(all.length - 1, Math.max(0, next))].focus();
    } else if (event.key === "x" && current >= 0) {
      event.preventDefault();
      all[current].click();
    }
  });
})();
