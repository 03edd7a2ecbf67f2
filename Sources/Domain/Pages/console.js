"use strict";

(() => {
  document.documentElement.classList.add("live");

  // The server has escaped each text of its HTML. The policy of Trusted Types takes it, and only it.
  const unchanged = { createHTML: (html) => html };
  const policy = window.trustedTypes
    ? trustedTypes.createPolicy("homegateway", unchanged)
    : unchanged;
  const main = document.getElementById("main");
  const lost = document.getElementById("lost");

  const roomPages = ["room", "alarm", "cancelled", "taken", "help", "question"];
  const pagesWithStream = ["today", "install", "devices", "pair", "doctor", "walk", "link-code"];

  let stream = null;
  let openedAt = 0;
  let heardAt = performance.now();
  let shownAt = performance.now();
  let shownText = "";
  let heldText = null;
  let pressedAt = 0;
  let countdown = null;

  const part = (name) => main.querySelector(`[data-page=${name}]`);

  const streamPlace = () => {
    const shown = main.querySelector("[data-page]");
    if (!shown) return "";
    if (shown.dataset.stream) return shown.dataset.stream;
    const name = shown.dataset.page;
    if (pagesWithStream.includes(name)) return `/stream?page=${name}`;
    return roomPages.includes(name) ? "/stream?page=room" : "";
  };

  const startCountdown = () => {
    const timer = main.querySelector("[data-left]");
    countdown = null;
    shownAt = performance.now();
    if (!timer) return;
    const left = Number(timer.dataset.left);
    const bar = timer.querySelector("rect");
    const words = timer.querySelector(".words");
    countdown = { bar, words, total: Math.max(left, 1), end: shownAt + left };
  };

  const drawCountdown = (now) => {
    const left = Math.max(countdown.end - now, 0);
    countdown.bar.setAttribute("width", String((100 * left) / countdown.total));
    const seconds = String(Math.ceil(left / 1000));
    countdown.words.textContent = countdown.words.textContent.replace(/\d+(?= s$)/, seconds);
  };

  const acts = () => {
    const act = (form) => {
      const alarm = form.elements.alarm;
      return form.getAttribute("action") + (alarm ? alarm.value : "");
    };
    return Array.from(main.querySelectorAll("form"), act).join();
  };

  // Tells the same control from content to content, so that it keeps the focus.
  const identity = (control) => {
    if (!control || !control.form) {
      return control && control.getAttribute && control.getAttribute("href");
    }
    const hidden = control.form.querySelectorAll("[type=hidden]:not([name=token])");
    const values = Array.from(hidden, (field) => field.value);
    return [control.form.getAttribute("action"), control.name, ...values].join();
  };

  // No content is replaced under a finger. Only an alarm replaces a field with a text in it.
  const isBusy = (isGrave) => {
    if (pressedAt && performance.now() - pressedAt < 2000) return true;
    const field = document.activeElement;
    return !isGrave && field && field.tagName === "INPUT" && main.contains(field) && field.value;
  };

  const show = (text) => {
    const isAlarm = text.includes('data-page="alarm"');
    const isAway = text.includes('data-page="away"');
    if (!isAlarm && !isAway && (part("help") || part("question"))) return;
    if (isBusy(isAlarm && !part("today"))) {
      heldText = text;
      return;
    }
    if (text === shownText) return;
    shownText = text;
    const [oldCountdown, oldActs, oldShownAt] = [countdown, acts(), shownAt];
    const focused = identity(document.activeElement);
    main.innerHTML = policy.createHTML(text);
    // The forms of the stream have no token.
    for (const field of main.querySelectorAll("input[name=token]")) {
      field.value = main.dataset.token;
    }
    startCountdown();
    if (acts() === oldActs) {
      shownAt = oldShownAt;
      if (oldCountdown && countdown) {
        countdown.total = Math.max(oldCountdown.total, countdown.total);
      }
    }
    const controls = Array.from(main.querySelectorAll("a,button,input"));
    const same = focused && controls.find((control) => identity(control) === focused);
    const next = same || main.querySelector("[autofocus]");
    if (next) next.focus({ preventScroll: !!same });
  };

  const hear = () => {
    heardAt = performance.now();
    lost.classList.add("hidden");
  };

  const openStream = () => {
    if (stream || document.hidden || !streamPlace()) return;
    openedAt = performance.now();
    stream = new EventSource(streamPlace());
    stream.addEventListener("alive", hear);
    stream.addEventListener("page", (event) => {
      hear();
      show(JSON.parse(event.data));
    });
  };

  const closeStream = () => {
    if (!stream) return;
    stream.close();
    stream = null;
  };

  document.addEventListener("visibilitychange", () => {
    heardAt = performance.now();
    if (document.hidden) closeStream();
    else openStream();
  });
  addEventListener("pagehide", closeStream);
  addEventListener("pageshow", openStream);

  const press = () => {
    pressedAt = performance.now();
  };
  const release = () => {
    pressedAt = 0;
    setTimeout(() => {
      const text = heldText;
      heldText = null;
      if (text !== null) show(text);
    }, 0);
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, press, true);
  for (const kind of ["pointerup", "pointercancel", "keyup"]) addEventListener(kind, release, true);

  // A second press of a doubled one falls on the next content, which has another button in the place.
  const guard = (event) => {
    const button = event.target.closest && event.target.closest("[data-guard]");
    if (button && performance.now() - shownAt < Number(button.dataset.guard)) {
      event.preventDefault();
    }
  };
  document.addEventListener("click", guard, true);

  const code = document.querySelector("input[name=code]");
  if (code && location.hash.length > 1) {
    code.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
  }
  if (main.dataset.leave) setTimeout(() => location.assign("/"), 1000 * main.dataset.leave);

  // A page without a stream asks for itself until the gateway answers.
  const away = part("away");
  const asks = away && !away.dataset.stream;
  const place = (asks && away.dataset.back) || location.href;
  const ask = () => {
    fetch(place, { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(2000) })
      .then((reply) => {
        hear();
        if (reply.status !== 503) location.replace(place);
      })
      .catch(() => {})
      .then(() => setTimeout(ask, 1000));
  };
  if (asks) setTimeout(ask, 1000);

  setInterval(() => {
    const now = performance.now();
    if (!document.hidden && (streamPlace() || asks) && now - heardAt > 2500) {
      lost.classList.remove("hidden");
      if (streamPlace() && now - openedAt > 2000) {
        closeStream();
        openStream();
      }
    }
    if (countdown) drawCountdown(now);
  }, 250);

  // The server closes a connection that is idle for 30 s, and a press on "I am fine" needs one at once.
  const keepConnection = () => {
    if (document.hidden || !streamPlace() || !main.dataset.token) return;
    fetch("/alive", { cache: "no-store", signal: AbortSignal.timeout(5000) }).catch(() => {});
  };
  keepConnection();
  setInterval(keepConnection, 10000);

  startCountdown();
  openStream();
})();
