import HTML

/// Script of the pages that make a passkey or sign in by one, under a name that changes with its content.
enum PasskeyScript {
    /// Elements of a page with the script.
    static let (part, challenge, failed, known, unable) = (
        "passkey", "passkey-challenge", "passkey-failed", "passkey-known", "passkey-unable"
    )

    /// Shows the part where the browser has passkeys. Its form fetches the options and asks the browser before it is sent. A page
    /// with a challenge makes a passkey; another one signs in, with a challenge among its options.
    static let script = #"""
        'use strict';(()=>{
        const at=id=>document.getElementById(id),part=at('passkey');
        if(!part||!window.PublicKeyCredential)return;
        const form=part.querySelector('form'),given=at('passkey-challenge');
        let busy=false;
        const show=(id,on)=>{const e=at(id);if(e)e.classList.toggle('hidden',!on)};
        const bytes=t=>Uint8Array.from(atob(t.replace(/-/g,'+').replace(/_/g,'/')),c=>c.charCodeAt(0));
        const put=(name,b)=>{form.elements[name].value=btoa(String.fromCharCode(...new Uint8Array(b))).replace(/\+/g,'-').replace(/\//g,'_').replace(/=+$/,'')};
        const ask=async()=>{const r=await fetch(part.dataset.page,{cache:'no-store'});if(!r.ok)throw new Error(r.status);return r.json()};
        const make=async o=>{o.user.id=bytes(o.user.id);for(const c of o.excludeCredentials)c.id=bytes(c.id);
        const a=(await navigator.credentials.create({publicKey:o})).response;put('client',a.clientDataJSON);put('attestation',a.attestationObject)};
        const sign=async o=>{const c=await navigator.credentials.get({publicKey:o}),a=c.response;
        put('credential',c.rawId);put('client',a.clientDataJSON);put('authenticator',a.authenticatorData);put('signature',a.signature);put('handle',a.userHandle)};
        form.addEventListener('submit',async e=>{e.preventDefault();if(busy)return;busy=true;show('passkey-failed',false);show('passkey-known',false);
        try{const o=await ask();o.challenge=bytes(given?given.value:o.challenge);await (given?make(o):sign(o));form.submit()}
        catch(e){const known=given&&e.name==='InvalidStateError';show(known?'passkey-known':'passkey-failed',true)}finally{busy=false}});
        show('passkey-unable',false);show('passkey',true)})();
        """#

    static let place = HTML.Place("/assets").appending("passkeys-" + PageFiles.version(of: script)).adding(
        ".js")

    static let route = Route(.get, place.text, access: .everybody) { _ in
        .text(Array(script.utf8), type: "text/javascript; charset=utf-8")
    }
}
