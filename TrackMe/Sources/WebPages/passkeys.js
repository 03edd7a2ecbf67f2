"use strict";

(() => {
  const part = document.getElementById("passkey");
  if (!part || !window.PublicKeyCredential) return;

  const form = part.querySelector("form");
  // A page with a challenge makes a passkey. Another page signs in by one.
  const challenge = document.getElementById("passkey-challenge");
  let isBusy = false;

  const setShown = (id, isShown) => {
    const element = document.getElementById(id);
    if (element) element.classList.toggle("hidden", !isShown);
  };

  const bytesOfBase64URL = (text) => {
    const base64 = text.replace(/-/g, "+").replace(/_/g, "/");
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  };

  const putBase64URL = (field, bytes) => {
    const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
    form.elements[field].value = base64.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };

  const fetchOptions = async () => {
    const reply = await fetch(part.dataset.page, { cache: "no-store" });
    if (!reply.ok) throw new Error(reply.status);
    return reply.json();
  };

  const makePasskey = async (options) => {
    options.user.id = bytesOfBase64URL(options.user.id);
    for (const excluded of options.excludeCredentials) excluded.id = bytesOfBase64URL(excluded.id);
    const { response } = await navigator.credentials.create({ publicKey: options });
    putBase64URL("client", response.clientDataJSON);
    putBase64URL("attestation", response.attestationObject);
  };

  const signIn = async (options) => {
    const passkey = await navigator.credentials.get({ publicKey: options });
    const { response } = passkey;
    putBase64URL("credential", passkey.rawId);
    putBase64URL("client", response.clientDataJSON);
    putBase64URL("authenticator", response.authenticatorData);
    putBase64URL("signature", response.signature);
    putBase64URL("handle", response.userHandle);
  };

  // The form is sent when the browser has answered.
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    setShown("passkey-failed", false);
    setShown("passkey-known", false);
    try {
      const options = await fetchOptions();
      options.challenge = bytesOfBase64URL(challenge ? challenge.value : options.challenge);
      await (challenge ? makePasskey(options) : signIn(options));
      form.submit();
    } catch (error) {
      const isKnown = challenge && error.name === "InvalidStateError";
      setShown(isKnown ? "passkey-known" : "passkey-failed", true);
    } finally {
      isBusy = false;
    }
  });

  setShown("passkey-unable", false);
  setShown("passkey", true);
})();
