"use strict";

(() => {
  const live = document.querySelector("[data-live]");
  const lost = document.getElementById("lost");
  if (!live) return;

  let stream = null;
  let heardAt = performance.now();

  const hear = () => {
    heardAt = performance.now();
    lost.classList.add("hidden");
  };

  const showReading = (event) => {
    hear();
    const reading = JSON.parse(event.data);
    const value = document.getElementById(`value-${reading.kind}`);
    const time = document.getElementById(`time-${reading.kind}`);
    if (!value || !time) return;
    value.textContent = reading.value;
    time.textContent = reading.time;
  };

  // A stream is open only in a visible tab: six streams over HTTP/1.1 fill a browser.
  const openStream = () => {
    if (stream || document.hidden) return;
    hear();
    stream = new EventSource(live.dataset.live);
    stream.onopen = hear;
    stream.addEventListener("alive", hear);
    stream.addEventListener("reading", showReading);
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
