public import HTML

/// Script of pages with a part that a change on the server replaces, under a name that changes with its content.
public enum LivePart {
    /// Replaces the live part of the page after each change, and counts the ages. The browser reads the part as a document, in
    /// which nothing runs: no policy of Trusted Types is needed. A stream is open in a visible tab.
    ///
    /// A page with a button for the sound is one of the desk. It rings while its part has a `ring`, and the title has `(!)`. The
    /// sound is a loop of the audio thread, since timers of a tab in the background run once a minute. It stays armed from page
    /// to page; where the browser keeps it off until somebody presses something, the button stays. In the background the stream
    /// stays open with `unseen=1`: nobody looks at that page, so it is no attendance. `arrival` has a sign of life each second.
    static let script = """
        'use strict';(()=>{
        const live=document.querySelector('[data-live]'),lost=document.getElementById('lost'),sound=document.getElementById('sound'),arrival=document.getElementById('arrival');
        if(!live)return;
        let stream=null,heard=performance.now(),loaded=performance.now(),audio=null,loop=null,rung='',busy=false,again=false,stale=false;
        const limit=arrival?5000:20000,plain=document.title.replace(/^\\(!\\) /,'');
        const hear=()=>{heard=performance.now();if(!stale)lost.classList.add('hidden');ring()};
        const lose=()=>{lost.classList.remove('hidden');ring()};
        const armed=on=>{try{if(on)localStorage.setItem('desk-sound','on');return localStorage.getItem('desk-sound')==='on'}catch(e){return false}};
        const tones=high=>{const r=audio.sampleRate,b=audio.createBuffer(1,r*(high?3:8),r),d=b.getChannelData(0);for(let i=0;i<(high?6:2);i++){const f=high?(i%2?660:880):440,s=Math.round(i*.3*r);for(let k=0;k<.2*r;k++)d[s+k]=.3*Math.sin(2*Math.PI*f*k/r)}return b};
        const play=(high,again)=>{const s=audio.createBufferSource();s.buffer=tones(high);s.loop=again;s.connect(audio.destination);s.start();return s};
        const ring=()=>{if(!sound)return;const fault=!lost.classList.contains('hidden')||arrival&&arrival.classList.contains('warn'),want=document.getElementById('ring')?'call':fault?'fault':'';
        document.title=(want?'(!) ':'')+plain;if(!audio||audio.state!=='running'){rung='';delete document.documentElement.dataset.rings;return}if(want===rung)return;if(loop){loop.stop();loop=null}rung=want;document.documentElement.dataset.rings=want;if(want)loop=play(want==='call',true)};
        const wake=()=>{if(!audio){audio=new AudioContext();audio.onstatechange=()=>{const on=audio.state==='running';if(!on&&loop){loop.stop();loop=null}sound.classList.toggle('hidden',on);ring()}}audio.resume()};
        const ask=()=>new Promise((take,fail)=>{const r=new XMLHttpRequest();r.open('GET',live.dataset.page);r.responseType='document';r.timeout=10000;r.onload=()=>take(r);r.onerror=r.ontimeout=fail;r.send()});
        const load=async()=>{if(busy){again=true;return}busy=true;try{do{again=false;const r=await ask();
        if(r.status===401||r.status===403){location.reload();return}if(r.status!==200||!r.response)throw new Error(r.status);
        live.replaceChildren(...r.response.body.childNodes);loaded=performance.now();stale=false;ages();ring()}while(again)}catch(e){stale=true;lose();if(sound)setTimeout(load,2000)}finally{busy=false}};
        const ages=()=>{const late=Math.round((performance.now()-loaded)/1000);for(const e of document.querySelectorAll('[data-left]')){const s=+e.dataset.left+late;e.textContent=s<3600?Math.floor(s/60)+':'+String(s%60).padStart(2,'0'):Math.floor(s/3600)+' h '+Math.floor(s%3600/60)+' min'}};
        const open=anew=>{if(stream||document.hidden&&!sound)return;if(anew!==true)hear();stream=new EventSource(live.dataset.live+(document.hidden?'?unseen=1':''));stream.onopen=hear;stream.addEventListener('alive',hear);
        stream.addEventListener('arrival',e=>{if(arrival){const bad=e.data[0]==='1',text=e.data.slice(2);arrival.classList.toggle('warn',bad);if(bad)arrival.setAttribute('role','alert');else arrival.removeAttribute('role');if(arrival.textContent!==text)arrival.textContent=text}hear()});
        stream.addEventListener('change',e=>{hear();load()})};
        const close=()=>{if(stream){stream.close();stream=null}};
        if(sound){sound.addEventListener('click',()=>{armed(true);wake();play(false,false)});if(armed()){wake();for(const e of ['pointerdown','keydown'])addEventListener(e,wake)}}
        document.addEventListener('visibilitychange',()=>{if(sound||document.hidden)close();open()});addEventListener('pagehide',close);addEventListener('pageshow',open);
        setInterval(()=>{ages();if(document.hidden&&!sound)return;if(performance.now()-heard>limit)lose();if(stream&&stream.readyState===2){stream=null;open(true)}},1000);
        open();ring()})();
        """

    public static let scriptPlace = HTML.Place("/assets").appending(
        "live-part-" + PageFiles.version(of: script)
    ).adding(".js")

    static let routes = [
        Route(.get, scriptPlace.text, access: .everybody) { _ in
            .text(Array(script.utf8), type: "text/javascript; charset=utf-8")
        }
    ]
}
