"use strict";

(() => {
  const live = document.querySelector("[data-live]");
  const lost = document.getElementById("lost");
  if (!live) return;

  let stream = null;
  let heardAt = performance.now();
  let frame = null;
  let isLoading = false;
  let changedAgain = false;
  let loadTimer = 0;

  const hear = () => {
    heardAt = performance.now();
    lost.classList.add("hidden");
  };

  // Bibs of the runners on this page; null for all.
  const shownBibs = () => {
    const runner = live.dataset.page.match(/\/runners\/(\d+)/);
    if (runner) return new Set([Number(runner[1])]);
    if (!live.dataset.page.includes("?")) return null;
    const links = [...live.querySelectorAll("tbody th a")];
    return new Set(links.map((link) => Number(link.getAttribute("href").split("/").pop())));
  };

  const drawDots = (name, dots) => {
    const path = live.querySelector(`svg.map path.${name}`);
    if (path) path.setAttribute("d", dots);
  };

  const draw = () => {
    if (!frame) return;
    const bibs = shownBibs();
    const dots = { projected: "", located: "" };
    const places = new Map();
    for (const [bib, x, y, isLocated] of frame.d) {
      if (bibs && !bibs.has(bib)) continue;
      dots[isLocated ? "located" : "projected"] += `M${x} ${y}h0`;
      places.set(bib, [x, y]);
    }
    drawDots("located", dots.located);
    drawDots("projected", dots.projected);
    drawDots("hole", dots.projected);
    for (const label of live.querySelectorAll("svg.map text.bib")) {
      const place = places.get(Number(label.textContent));
      if (place) {
        label.setAttribute("x", place[0]);
        label.setAttribute("y", place[1] - 26);
      }
      label.classList.toggle("hidden", !place);
    }
  };

  // The browser reads the part as a document, in which nothing runs.
  const requestPart = () =>
    new Promise((take, fail) => {
      const request = new XMLHttpRequest();
      request.open("GET", live.dataset.page);
      request.responseType = "document";
      request.timeout = 10000;
      request.onload = () => take(request);
      request.onerror = fail;
      request.ontimeout = fail;
      request.send();
    });

  const load = async () => {
    if (isLoading) {
      changedAgain = true;
      return;
    }
    isLoading = true;
    try {
      do {
        changedAgain = false;
        const reply = await requestPart();
        if (reply.status === 404) {
          location.reload();
          return;
        }
        if (reply.status !== 200 || !reply.response) throw new Error(reply.status);
        live.replaceChildren(...reply.response.body.childNodes);
        draw();
      } while (changedAgain);
    } catch {
      lost.classList.remove("hidden");
    } finally {
      isLoading = false;
    }
  };

  // At a random instant of the time that the event names: not all spectators ask at once.
  const loadWithin = (seconds) => {
    if (loadTimer) return;
    const run = () => {
      loadTimer = 0;
      load();
    };
    loadTimer = setTimeout(run, Math.random() * seconds * 1000);
  };

  const openStream = () => {
    if (stream || document.hidden) return;
    hear();
    stream = new EventSource(live.dataset.live);
    stream.onopen = hear;
    stream.addEventListener("alive", hear);
    stream.addEventListener("frame", (event) => {
      hear();
      frame = JSON.parse(event.data);
      draw();
    });
    stream.addEventListener("change", (event) => {
      hear();
      loadWithin(Number(event.data));
    });
  };

  const closeStream = () => {
    if (!stream) return;
    stream.close();
    stream = null;
  };

  // Does not count as a sign of life.
  const reopenStream = () => {
    const lastHeardAt = heardAt;
    stream = null;
    openStream();
    heardAt = lastHeardAt;
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) closeStream();
    else openStream();
  });
  addEventListener("pagehide", closeStream);
  addEventListener("pageshow", openStream);

  setInterval(() => {
    if (document.hidden) return;
    if (performance.now() - heardAt > 20000) lost.classList.remove("hidden");
    if (stream && stream.readyState === EventSource.CLOSED) reopenStream();
  }, 1000);

  openStream();
})();
