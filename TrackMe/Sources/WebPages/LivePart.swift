public import HTML

/// Script of pages with a part that a change on the server replaces, under a name that changes with its content.
public enum LivePart {
    /// Replaces the live part of the page after each change, counts the ages, and sounds where the page has a button for it.
    /// The browser reads the part as a document, in which nothing runs: no policy of Trusted Types is needed. A stream is
    /// open only in a visible tab: at the desk attendance means a page that somebody can see.
    static let script = """
        'use strict';(()=>{
        const live=document.querySelector('[data-live]'),lost=document.getElementById('lost'),sound=document.getElementById('sound');
        if(!live)return;
        let stream=null,heard=performance.now(),loaded=performance.now(),audio=null,busy=false,again=false;
        const hear=()=>{heard=performance.now();lost.classList.add('hidden')};
        const tone=alert=>{if(!audio)return;const high=alert==='new-call';for(let i=0;i<(high?6:2);i++){const o=audio.createOscillator(),g=audio.createGain(),t=audio.currentTime+i*.3;o.frequency.value=high?(i%2?660:880):440;g.gain.setValueAtTime(.3,t);o.connect(g).connect(audio.destination);o.start(t);o.stop(t+.2)}};
        const ask=()=>new Promise((take,fail)=>{const r=new XMLHttpRequest();r.open('GET',live.dataset.page);r.responseType='document';r.timeout=10000;r.onload=()=>take(r);r.onerror=r.ontimeout=fail;r.send()});
        const load=async()=>{if(busy){again=true;return}busy=true;try{do{again=false;const r=await ask();
        if(r.status===401||r.status===403){location.reload();return}if(r.status!==200||!r.response)throw new Error(r.status);
        live.replaceChildren(...r.response.body.childNodes);loaded=performance.now();ages()}while(again)}catch(e){lost.classList.remove('hidden')}finally{busy=false}};
        const ages=()=>{const late=Math.round((performance.now()-loaded)/1000);for(const e of document.querySelectorAll('[data-left]')){const s=+e.dataset.left+late;e.textContent=s<3600?Math.floor(s/60)+':'+String(s%60).padStart(2,'0'):Math.floor(s/3600)+' h '+Math.floor(s%3600/60)+' min'}};
        const open=()=>{if(stream||document.hidden)return;hear();stream=new EventSource(live.dataset.live);stream.onopen=hear;stream.addEventListener('alive',hear);
        stream.addEventListener('change',e=>{hear();tone(e.data);document.title=document.title.replace(/^\\(!\\) /,'');if(e.data==='new-call')document.title='(!) '+document.title;load()})};
        const close=()=>{if(stream){stream.close();stream=null}};
        if(sound)sound.addEventListener('click',()=>{audio=audio||new AudioContext();audio.resume();tone('repeated');sound.classList.add('hidden')});
        document.addEventListener('visibilitychange',()=>document.hidden?close():open());addEventListener('pagehide',close);addEventListener('pageshow',open);
        setInterval(()=>{ages();if(document.hidden)return;if(performance.now()-heard>20000)lost.classList.remove('hidden');if(stream&&stream.readyState===2){const late=heard;stream=null;open();heard=late}},1000);
        open()})();
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
