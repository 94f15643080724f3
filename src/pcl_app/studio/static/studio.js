// Fragments instead of whole pages, keys, and news from other tabs. Everything here also works without it, as plain forms.
"use strict";
document.documentElement.className = "js";

(() => {
  const BUSY_AFTER = 300; // milliseconds: what takes longer shows that it works
  const byId = (id) => document.getElementById(id);
  let latest = 0; // only the newest request may change the page
  let source = null;
  let watched = "";

  const say = (text) => { const place = byId("status"); if (place) place.textContent = text; };

  // Which question the page is about; where that changes, whoever reads by ear is taken to its beginning.
  const asked = () => { const it = document.querySelector("#answer [name=part]"); return it ? it.value : location.pathname; };

  async function load(url, options = {}, { keepFocus = true, keepTold = false, push = false } = {}) {
    const mine = ++latest;
    byId("swap").setAttribute("aria-busy", "true");
    const timer = setTimeout(() => { document.body.classList.add("busy"); say("working it out"); }, BUSY_AFTER);
    const done = () => { clearTimeout(timer); if (mine === latest) { document.body.classList.remove("busy"); byId("swap").removeAttribute("aria-busy"); } };
    try {
      const answer = await fetch(url, {
        ...options, credentials: "same-origin", headers: { ...(options.headers || {}), "X-Fragment": "1" },
      });
      const text = await answer.text();
      if (mine !== latest) return;
      const place = answer.headers.get("X-Place") || answer.url;
      if (!text.includes('id="swap"')) { location.assign(place); return; }
      swap(text, keepFocus, keepTold);
      if (push) history.pushState(null, "", place); else history.replaceState(null, "", place);
    } catch (error) {
      if (mine === latest) say("the server did not answer; try again");
      if (mine === latest) document.body.classList.add("lost");
    } finally { done(); }
  }

  function swap(html, keepFocus, keepTold) {
    const before = document.activeElement;
    const id = before && before.id;
    const opened = [...document.querySelectorAll("details[open][id]")].map((it) => it.id);
    const question = asked();
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("swap");
    const told = keepTold && byId("told"), place = fresh.querySelector("#told");
    if (told && place && !place.querySelector(".notice") && !told.querySelector("[role]")) place.replaceWith(told); // nothing jumps
    byId("swap").replaceWith(fresh);
    document.title = fresh.dataset.title;
    say(fresh.dataset.say || "");
    for (const each of opened) { const found = byId(each); if (found) found.open = true; }
    const same = asked() === question;
    const target = (keepFocus && id && same && byId(id)) || (same ? null : byId("main"));
    if (target && !target.disabled) target.focus({ preventScroll: same });
    watch();
  }

  function fieldsOf(form, submitter) {
    const data = new FormData(form, submitter || undefined);
    return new URLSearchParams([...data].filter(([, value]) => typeof value === "string"));
  }

  // What she changes is shown at once: the draft is in the address, so that a reload keeps it.
  let typing = null;
  function draft(form) {
    const fields = fieldsOf(form);
    const sent = new URLSearchParams();
    for (const [key, value] of fields) {
      if (/^v\d+$/.test(key)) sent.set(key, value);
      else if (key === "part" || key === "c") sent.append(key, value);
    }
    const changed = document.activeElement && document.activeElement.name;
    if (changed) {
      const left = sent.getAll("c").filter((each) => each !== changed);
      sent.delete("c");
      for (const each of left) sent.append("c", each);
    }
    load(`${form.action.replace(/\/say$/, "")}?${sent}`, {}, { keepTold: true });
  }

  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (!form || !form.hasAttribute("data-draft") || !/^v\d+$/.test(event.target.name)) return;
    clearTimeout(typing);
    draft(form);
  });
  document.addEventListener("input", (event) => {
    const box = event.target;
    if (!box.hasAttribute("data-find")) return;
    const wanted = box.value.trim().toLowerCase();
    for (const pill of box.closest("[data-row]").querySelectorAll(".pill")) { // those beside the list are searched, too
      pill.hidden = !pill.querySelector(":checked") && !pill.textContent.toLowerCase().includes(wanted);
    }
  });

  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) {
      const input = step.parentElement.querySelector("input");
      const value = Number(input.value || 0) + Number(step.dataset.step);
      input.value = String(value);
      input.focus();
      clearTimeout(typing);
      typing = setTimeout(() => draft(input.form), 180);
      return;
    }
    const link = event.target.closest("a[data-swap]");
    if (link && !event.metaKey && !event.ctrlKey && event.button === 0) {
      event.preventDefault();
      load(link.href);
    }
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.hasAttribute("data-swap")) return;
    event.preventDefault();
    if (event.submitter && event.submitter.disabled) return;
    const fields = fieldsOf(form, event.submitter);
    const action = form.getAttribute("action");
    if (form.method === "get") load(`${action}?${fields}`, {}, { keepFocus: false });
    else load(action, { method: "POST", body: fields });
  });
  addEventListener("popstate", () => load(location.href));

  // Keys. Letters do nothing while somebody types.
  const press = (id) => { const it = byId(id); if (it && !it.disabled) it.click(); return Boolean(it); };
  const neighbour = (by) => {
    const parts = [...new Map([...document.querySelectorAll(".pick[form=ask]")].map((it) => [it.value, it])).values()];
    const part = document.querySelector("#answer input[name=part]");
    if (!parts.length) return false;
    const at = parts.findIndex((it) => part && it.value === part.value);
    parts[(at + by + parts.length) % parts.length].click();
    return true;
  };
  const KEYS = {
    b: () => press("better"), f: () => press("complete"), s: () => press("skip"), u: () => press("undo"),
    t: () => { const it = document.querySelector("#suggestion button"); if (it) it.click(); return Boolean(it); },
    n: () => neighbour(1), p: () => neighbour(-1),
    k: () => { const row = document.activeElement.closest("[data-row]"); const it = row && row.querySelector("[data-pin]"); if (it) it.click(); return Boolean(it); },
    "?": () => { byId("keys").showModal(); return true; },
  };
  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || byId("keys").open) return;
    const at = event.target;
    if (event.key === "Enter" && at.hasAttribute("data-find")) { // the first that is found; it is no answer yet
      event.preventDefault();
      const found = [...at.closest("[data-row]").querySelectorAll(".pill:not([hidden]) input:not(:checked)")];
      if (found.length && at.value.trim()) { found[0].focus(); found[0].click(); }
      return;
    }
    const writes = at.matches("input[type=search], input[type=text], input[type=file], select, textarea");
    if (writes) return;
    if (event.key === "Enter" && (at === document.body || at.id === "main" || at.matches("input[type=radio], input[type=checkbox], input[type=number]"))) {
      if (at.name === "count") return;
      if (press("final")) event.preventDefault();
      return;
    }
    if (at.matches("input[type=number]")) {
      if (!(event.key in KEYS)) return;
    } else if (/^[1-9]$/.test(event.key)) {
      const row = document.querySelectorAll("#answer [data-row]")[Number(event.key) - 1];
      const into = row && (row.querySelector("input:checked") || row.querySelector("input:not([type=hidden])"));
      if (into) { into.focus(); event.preventDefault(); }
      return;
    }
    if (KEYS[event.key] && KEYS[event.key]()) event.preventDefault();
  });

  // News: somebody answered in another tab, or from another program.
  function watch() {
    const place = byId("swap");
    const url = place && place.dataset.watch;
    if (!url) { if (source) source.close(); source = null; watched = ""; return; }
    if (url === watched && source && source.readyState !== 2) return;
    if (source) source.close();
    watched = url;
    source = new EventSource(url);
    const heard = (event) => {
      let told;
      try { told = JSON.parse(event.data); } catch (error) { return; }
      const known = Number(byId("swap").dataset.events);
      if (typeof told.events === "number" && told.events > known && !document.body.classList.contains("busy")) later(told.events);
    };
    source.onmessage = heard;
    source.addEventListener("changed", heard);
  }
  function later(events) { // our own answer may just be on its way: look again in a moment
    setTimeout(() => {
      const known = Number(byId("swap").dataset.events);
      if (events <= known || byId("news")) return;
      const news = byId("news-template");
      if (!news) return;
      byId("main").before(news.content.cloneNode(true));
      say("this was changed in another tab");
    }, 1200);
  }

  // Simulation: steps arrive one by one.
  let run = null;
  function simulate(button) {
    if (run) { run.close(); run = null; button.textContent = button.dataset.start; return; }
    run = new EventSource(button.dataset.run);
    button.textContent = button.dataset.stop;
    const end = () => { if (run) run.close(); run = null; const it = document.querySelector("[data-run]"); if (it) it.textContent = it.dataset.start; };
    run.addEventListener("step", (event) => {
      const fresh = new DOMParser().parseFromString(event.data, "text/html").getElementById("simulated");
      byId("simulated").replaceWith(fresh);
      if (fresh.dataset.place) history.replaceState(null, "", fresh.dataset.place);
    });
    run.addEventListener("end", end);
    run.onerror = end;
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-run]");
    if (button) { event.preventDefault(); simulate(button); }
    if (event.target.closest("[data-print]")) print();
  });

  document.addEventListener("DOMContentLoaded", () => { watch(); });
})();
