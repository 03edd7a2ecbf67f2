"use strict";

(() => {
  const live = document.querySelector("[data-live]");
  const lost = document.getElementById("lost");
  // Pages of the desk alone have a button for the sound.
  const sound = document.getElementById("sound");
  // Says whether calls can arrive. Its event comes each second.
  const arrival = document.getElementById("arrival");
  if (!live) return;

  const longestSilence = arrival ? 5000 : 20000;
  const title = document.title.replace(/^\(!\) /, "");

  let stream = null;
  let heardAt = performance.now();
  let loadedAt = performance.now();
  let isLoading = false;
  let changedAgain = false;
  let isStale = false;
  let audio = null;
  let loop = null;
  let ringing = "";

  const hear = () => {
    heardAt = performance.now();
    if (!isStale) lost.classList.add("hidden");
    ring();
  };

  const lose = () => {
    lost.classList.remove("hidden");
    ring();
  };

  // The sound stays armed from page to page.
  const isArmed = () => {
    try {
      return localStorage.getItem("desk-sound") === "on";
    } catch {
      return false;
    }
  };

  const arm = () => {
    try {
      localStorage.setItem("desk-sound", "on");
    } catch {
      // Without storage the sound is armed on this page alone.
    }
  };

  // A call has three pairs of a high and a low tone in 3 s, a fault has two deep tones in 8 s.
  const makeTones = (isCall) => {
    const rate = audio.sampleRate;
    const buffer = audio.createBuffer(1, rate * (isCall ? 3 : 8), rate);
    const samples = buffer.getChannelData(0);
    const callTone = (index) => (index % 2 ? 660 : 880);
    for (let index = 0; index < (isCall ? 6 : 2); index++) {
      const hertz = isCall ? callTone(index) : 440;
      const start = Math.round(index * 0.3 * rate);
      for (let sample = 0; sample < 0.2 * rate; sample++) {
        samples[start + sample] = 0.3 * Math.sin((2 * Math.PI * hertz * sample) / rate);
      }
    }
    return buffer;
  };

  // The audio thread repeats it: timers of a tab in the background run once a minute.
  const play = (isCall, isLoop) => {
    const source = audio.createBufferSource();
    source.buffer = makeTones(isCall);
    source.loop = isLoop;
    source.connect(audio.destination);
    source.start();
    return source;
  };

  const stopLoop = () => {
    if (!loop) return;
    loop.stop();
    loop = null;
  };

  const wantedRinging = () => {
    if (document.getElementById("ring")) return "call";
    const isLost = !lost.classList.contains("hidden");
    return isLost || (arrival && arrival.classList.contains("warn")) ? "fault" : "";
  };

  const ring = () => {
    if (!sound) return;
    const wanted = wantedRinging();
    document.title = (wanted ? "(!) " : "") + title;
    if (!audio || audio.state !== "running") {
      ringing = "";
      delete document.documentElement.dataset.rings;
      return;
    }
    if (wanted === ringing) return;
    stopLoop();
    ringing = wanted;
    document.documentElement.dataset.rings = wanted;
    if (wanted) loop = play(wanted === "call", true);
  };

  // Where the browser keeps the sound off until a key or the pointer is pressed, the button stays.
  const wakeAudio = () => {
    if (!audio) {
      audio = new AudioContext();
      audio.onstatechange = () => {
        const isOn = audio.state === "running";
        if (!isOn) stopLoop();
        sound.classList.toggle("hidden", isOn);
        ring();
      };
    }
    audio.resume();
  };

  // The browser reads the part as a document, in which nothing runs: no policy of Trusted Types is needed.
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
        if (reply.status === 401 || reply.status === 403) {
          location.reload();
          return;
        }
        if (reply.status !== 200 || !reply.response) throw new Error(reply.status);
        live.replaceChildren(...reply.response.body.childNodes);
        loadedAt = performance.now();
        isStale = false;
        showAges();
        ring();
      } while (changedAgain);
    } catch {
      isStale = true;
      lose();
      if (sound) setTimeout(load, 2000);
    } finally {
      isLoading = false;
    }
  };

  const ageText = (seconds) => {
    if (seconds < 3600) {
      return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    }
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  };

  const showAges = () => {
    const sinceLoad = Math.round((performance.now() - loadedAt) / 1000);
    for (const age of document.querySelectorAll("[data-left]")) {
      age.textContent = ageText(Number(age.dataset.left) + sinceLoad);
    }
  };

  // The data are 1 for a fault or 0, a space, and the words.
  const showArrival = (event) => {
    if (arrival) {
      const isFault = event.data[0] === "1";
      const words = event.data.slice(2);
      arrival.classList.toggle("warn", isFault);
      if (isFault) arrival.setAttribute("role", "alert");
      else arrival.removeAttribute("role");
      if (arrival.textContent !== words) arrival.textContent = words;
    }
    hear();
  };

  // In the background the stream of the desk stays open. That page is no attendance: nobody looks at it.
  const openStream = (isSignOfLife) => {
    if (stream || (document.hidden && !sound)) return;
    if (isSignOfLife) hear();
    stream = new EventSource(live.dataset.live + (document.hidden ? "?unseen=1" : ""));
    stream.onopen = hear;
    stream.addEventListener("alive", hear);
    stream.addEventListener("arrival", showArrival);
    stream.addEventListener("change", () => {
      hear();
      load();
    });
  };

  const closeStream = () => {
    if (!stream) return;
    stream.close();
    stream = null;
  };

  if (sound) {
    sound.addEventListener("click", () => {
      arm();
      wakeAudio();
      play(false, false);
    });
    if (isArmed()) {
      wakeAudio();
      for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wakeAudio);
    }
  }

  document.addEventListener("visibilitychange", () => {
    if (sound || document.hidden) closeStream();
    openStream(true);
  });
  addEventListener("pagehide", closeStream);
  addEventListener("pageshow", () => openStream(true));

  setInterval(() => {
    showAges();
    if (document.hidden && !sound) return;
    if (performance.now() - heardAt > longestSilence) lose();
    if (stream && stream.readyState === EventSource.CLOSED) {
      stream = null;
      openStream(false);
    }
  }, 1000);

  openStream(true);
  ring();
})();
