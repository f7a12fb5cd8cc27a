"use strict";

const csrf = () => document.querySelector('meta[name="csrf-token"]')?.content;
const notice = document.getElementById("notice");

function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

/** Calls the service; answers what it said, or throws why not, in words. */
async function call(method, path, body, more = {}) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", ...more };
  if (csrf()) headers["X-CSRF-Token"] = csrf();
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : body });
  } catch {
    throw new Error("The service cannot be reached: whether it took this is not known.");
  }
  if (answer.status === 401 && path !== "/page/session") {
    location.assign("/login?from=" + encodeURIComponent(location.pathname + location.search));
  }
  const text = await answer.text();
  const json = text ? JSON.parse(text) : null;
  if (!answer.ok) throw Object.assign(new Error(json?.detail ?? "The service answered " + answer.status), { problem: json });
  return json;
}

/* Times are in the viewer's zone; how long ago they were is kept true. */

const units = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60]];
const ages = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function age(time) {
  const seconds = (new Date(time.dateTime) - Date.now()) / 1000;
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  const text = unit ? ages.format(Math.trunc(seconds / unit[1]), unit[0]) : "just now";
  if (time.textContent !== text) time.textContent = text;
  time.title = new Date(time.dateTime).toLocaleString();
}

/* Tabs: one panel is seen, the arrow keys go from tab to tab. */

function select(tab, all) {
  for (const one of all) {
    const here = one === tab;
    one.setAttribute("aria-selected", here);
    one.tabIndex = here ? 0 : -1;
    document.getElementById(one.getAttribute("aria-controls")).hidden = !here;
  }
  sessionStorage.setItem("format", tab.id);
}

function enhance(root) {
  root.querySelectorAll("time[data-age]").forEach(age);
  for (const tabs of root.querySelectorAll("[data-tabs]")) {
    const all = [...tabs.querySelectorAll('[role="tab"]')];
    select(all.find((tab) => tab.id === sessionStorage.getItem("format")) ?? all[0], all);
  }
}

document.addEventListener("keydown", (event) => {
  const tab = event.target.closest?.('[role="tab"]');
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (tab && step) {
    const all = [...tab.parentElement.children];
    const next = all[(all.indexOf(tab) + step + all.length) % all.length];
    select(next, all);
    next.focus();
  }
  if (event.key === "Escape") hideTip();
  const mark = event.target.closest?.("[data-link]");
  if (mark && event.key === "Enter") location.assign(mark.dataset.link);
});

/* What a mark says, beside the pointer or the mark that has the focus. */

const tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true });
document.body.append(tip);

let pointedAt;

function showTip(mark) {
  pointedAt = mark;
  tip.textContent = mark.dataset.tip;
  tip.hidden = false;
  const at = mark.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 8);
  const above = at.top - own.height - 10;
  tip.style.left = left + "px";
  tip.style.top = (above > 4 ? above : at.bottom + 10) + "px";
}

function hideTip() {
  tip.hidden = true;
}

for (const [on, off] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
  document.addEventListener(on, (event) => {
    const mark = event.target.closest?.("[data-tip]");
    if (mark) showTip(mark);
  });
  document.addEventListener(off, hideTip);
}
addEventListener("scroll", () => tip.hidden || showTip(pointedAt), { passive: true });

/* Live: whatever of the page is new takes the place of what is there; what is the same stays, with its focus. */

let refreshing = false;
let again = false;
let missed = false;
let asked = Date.now();
const secondsBetween = 2;

async function refresh() {
  // Drawing costs the machine that is measured; who looks again sees what is new.
  if (document.hidden) {
    missed = true;
    return;
  }
  if (refreshing) {
    again = true;
    return;
  }
  refreshing = true;
  asked = Date.now();
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.redirected && new URL(answer.url).pathname === "/login") {
      location.assign(answer.url);
      return;
    }
    if (!answer.ok) throw new Error("The service answered " + answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const old of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(old.id);
      if (fresh && known.get(old.id) !== fresh.outerHTML && !isTypedInto(old)) replace(old, fresh);
    }
    if (document.body.dataset.events && !page.body.dataset.events) ended();
    connected(true);
  } catch {
    connected(false);
  } finally {
    setTimeout(() => {
      refreshing = false;
      if (again) {
        again = false;
        refresh();
      }
    }, secondsBetween * 1000);
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && missed) {
    missed = false;
    refresh();
  }
});

/** Each live part as the service wrote it, before anything here changed it. */
const known = new Map();

function remember(part) {
  known.set(part.id, part.outerHTML);
}

function isTypedInto(part) {
  const here = document.activeElement;
  return part.contains(here) && here.matches("input:not([type=checkbox]), select, textarea");
}

const focusable = "a, button, input, summary, [tabindex]";

function replace(old, fresh) {
  remember(fresh);
  const opened = [...old.querySelectorAll("details")].map((one) => one.open);
  fresh.querySelectorAll("details").forEach((one, index) => (one.open = opened[index] ?? false));
  const ticked = new Set([...old.querySelectorAll("[type=checkbox]:checked")].map((one) => one.value));
  fresh.querySelectorAll("[type=checkbox]").forEach((one) => (one.checked = ticked.has(one.value)));
  const focused = [...old.querySelectorAll(focusable)].indexOf(document.activeElement);
  hideTip();
  old.replaceWith(fresh);
  enhance(fresh);
  if (focused >= 0) fresh.querySelectorAll(focusable)[focused]?.focus({ preventScroll: true });
}

const connection = document.getElementById("connection");

const lost = "The service cannot be reached. Trying again …";

function connected(yes) {
  if (connection?.isConnected) {
    connection.dataset.state = yes ? "live" : "lost";
    connection.textContent = yes ? "live" : lost;
  } else if (!yes) {
    say(lost);
  } else if (notice.textContent === lost) {
    say("");
  }
}

let events;

function ended() {
  events?.close();
  delete document.body.dataset.events;
  connection?.remove();
}

function follow(path) {
  events = new EventSource(path);
  events.onopen = () => {
    connected(true);
    refresh();
  };
  for (const kind of ["trial_started", "trial_finished", "trial_sharpened", "study_finished"]) {
    events.addEventListener(kind, refresh);
  }
  events.onerror = () => {
    // The stream also ends with the study; whether it has, the page itself says.
    refresh();
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(() => {
        if (document.body.dataset.events) follow(path);
      }, 3000);
    }
  };
}

/* What can be pressed. */

async function pressed(button, what) {
  button.disabled = true;
  say("");
  try {
    await what();
  } catch (refused) {
    say(refused.message);
    button.disabled = false;
  }
}

const sample = {
  name: "sample",
  version: "made-up",
  source: { kind: "synthetic", samples: 20000, shape: [3, 32, 32], sample_milliseconds: 4 },
  step: { milliseconds: 20 },
  space: { num_workers: [0, 1, 2, 4, 8], prefetch_factor: [1, 2, 4], batch_size: [32] },
  budget: { seconds: 90 },
};

/** The study that was asked for last: whoever asks for the same again because no answer came gets the one study there is. */
let posted = { json: undefined, key: undefined };

async function start(json) {
  if (posted.json !== json) posted = { json, key: [...crypto.getRandomValues(new Uint32Array(4))].join("-") };
  const study = await call("POST", "/api/v1/studies", json, { "Idempotency-Key": posted.key });
  location.assign("/studies/" + study.id);
}

async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    // Browsers give pages that come without TLS from elsewhere no clipboard.
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest('[role="tab"]');
  if (tab) select(tab, [...tab.parentElement.children]);
  const mark = event.target.closest("[data-link]");
  if (mark) location.assign(mark.dataset.link);
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.copy) copy(button, document.getElementById(button.dataset.copy));
  if (button.dataset.post && (!button.dataset.asks || confirm(button.dataset.asks))) {
    pressed(button, async () => {
      await call("POST", button.dataset.post);
      await refresh();
    });
  }
  if (button.dataset.delete && confirm(button.dataset.asks)) {
    pressed(button, async () => {
      await call("DELETE", button.dataset.delete);
      location.assign(button.dataset.next);
    });
  }
  if ("sample" in button.dataset) pressed(button, () => start(JSON.stringify(sample)));
  if ("logOut" in button.dataset) {
    pressed(button, async () => {
      await call("DELETE", "/page/session");
      location.assign("/login");
    });
  }
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-filters] select")) event.target.form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  // An address is to have only what was asked for.
  if (event.target.matches("[data-filters]")) {
    for (const field of event.target.elements) {
      if (field.name && (!field.value || ["newest", "number"].includes(field.value))) field.disabled = true;
    }
  }
});

addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("[data-filters] :disabled")) field.disabled = false;
});

/* Logging in. */

document.getElementById("login")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  pressed(form.querySelector("button"), async () => {
    await call("POST", "/page/session", JSON.stringify({ token: form.elements.token.value }));
    location.assign(form.dataset.next);
  });
});

/* Making and changing a schedule. */

document.getElementById("schedule")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const made = document.getElementById("made");
  const value = (id) => document.getElementById(id).value.trim();
  const number = (id) => (value(id) === "" ? undefined : Number(value(id)));
  const button = form.querySelector('[type="submit"]');
  button.disabled = true;
  try {
    let study;
    try {
      study = JSON.parse(value("tuned"));
    } catch (malformed) {
      throw new Error("What is tuned is no JSON: " + malformed.message);
    }
    const asked = {
      study,
      cron: value("cron"),
      time_zone: value("time-zone") || undefined,
      jitter_seconds: number("jitter"),
      canary_seconds: number("canary"),
      enabled: value("enabled") === "true",
    };
    const path = "/api/v1/schedules" + (form.dataset.id ? "/" + form.dataset.id : "");
    const schedule = await call(form.dataset.id ? "PUT" : "POST", path, JSON.stringify(asked));
    location.assign("/schedules/" + schedule.id);
  } catch (refused) {
    made.textContent = refused.message;
    made.dataset.outcome = "bad";
    button.disabled = false;
  }
});

/* Describing a study. */

const form = document.getElementById("describe");
if (form) {
  const field = (id) => document.getElementById(id).value.trim();
  const number = (id) => (field(id) === "" ? undefined : Number(field(id)));
  const numbers = (id) => (field(id) === "" ? undefined : field(id).split(/[\s,]+/).filter(Boolean).map(Number));
  const text = (id) => field(id) || undefined;
  const some = (object) => (Object.values(object).some((value) => value !== undefined) ? object : undefined);

  const source = () => ({
    image_folder: () => ({ kind: "image_folder", path: field("path"), image_size: number("image-size") }),
    array: () => ({ kind: "array", path: field("path") }),
    tar_shards: () => ({ kind: "tar_shards", path: field("path"), image_size: number("image-size") }),
    python: () => ({ kind: "python", factory: field("factory"), python_path: text("python-path") && [field("python-path")] }),
    synthetic: () => ({
      kind: "synthetic",
      samples: number("samples"),
      sample_milliseconds: number("waiting"),
      cpu_milliseconds: number("burning"),
    }),
  })[field("kind")]();

  const described = () => ({
    name: field("name"),
    version: text("version"),
    source: source(),
    step: some({ milliseconds: number("step") }),
    ranks: number("ranks"),
    space: some({
      num_workers: numbers("workers"),
      prefetch_factor: numbers("prefetches"),
      batch_size: numbers("batch-sizes"),
    }),
    baseline: some({
      batch_size: numbers("batch-sizes")?.[0],
      num_workers: number("baseline-workers"),
      prefetch_factor: number("baseline-prefetch"),
      pin_memory: field("baseline-pin") ? true : undefined,
    }),
    budget: some({ seconds: number("seconds"), trials: number("trials") }),
  });

  const isJson = () => form.elements.mode.value === "json";
  const descriptor = () => (isJson() ? document.getElementById("json").value : JSON.stringify(described(), null, 2));
  const outcome = document.getElementById("checked");

  const show = (text, good) => {
    outcome.textContent = text;
    outcome.dataset.outcome = good ? "good" : "bad";
  };

  const kinds = () => {
    for (const one of form.querySelectorAll("[data-kinds]")) {
      one.hidden = !one.dataset.kinds.split(" ").includes(field("kind"));
    }
  };

  form.addEventListener("change", (event) => {
    if (event.target.name === "mode") {
      if (isJson() && !document.getElementById("json").value.trim()) {
        document.getElementById("json").value = JSON.stringify(described(), null, 2);
      }
      document.getElementById("as-form").hidden = isJson();
      document.getElementById("as-json").hidden = !isJson();
    }
    kinds();
  });
  kinds();

  const refused = (problem) => {
    const why = problem.problem?.failure;
    show(problem.message + (why?.details?.traceback ? "\n\n" + why.details.traceback : ""), false);
  };

  form.querySelector("[data-check]").addEventListener("click", async (event) => {
    const button = event.target;
    button.disabled = true;
    show("Building the dataset, reading a sample and a batch …", true);
    try {
      const facts = await call("POST", "/api/v1/descriptors/check", descriptor());
      const parts = facts.sample.map((part) => part.path + ": " + part.type + (part.shape.length ? " [" + part.shape.join(", ") + "] " + part.dtype : ""));
      show("It can be loaded: " + (facts.length ?? "an unknown number of") + " samples, " + (facts.sample_bytes ?? "?") + " bytes each.\n" + parts.join("\n"), true);
    } catch (problem) {
      refused(problem);
    }
    button.disabled = false;
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector('[type="submit"]');
    button.disabled = true;
    show("", true);
    try {
      await start(descriptor());
    } catch (problem) {
      refused(problem);
      button.disabled = false;
    }
  });
}

document.querySelectorAll("[data-live]").forEach(remember);
enhance(document);
setInterval(() => document.querySelectorAll("time[data-age]").forEach(age), 30000);
if (document.body.dataset.events) follow(document.body.dataset.events);
setInterval(() => {
  const every = Math.min(...[...document.querySelectorAll("[data-live]")].map((part) => Number(part.dataset.live) || Infinity));
  if (Date.now() - asked > every * 1000) refresh();
}, 1000);
