import HTML
import WebPages

/// Style and script of the desk, each under a name that changes with its content.
enum DeskFiles {
    static let style = """
        :root{color-scheme:light dark;--back:#fff;--text:#111;--soft:#eef1f4;--line:#555;--act:#0b4a8f;--on:#fff;--warn:#a11200;--amber:#8a5a00;--calm:#1f6b3a;--drill:#5b2a86}
        @media(prefers-color-scheme:dark){:root{--back:#0d0f12;--text:#f4f4f4;--soft:#1d2228;--line:#a8b0b8;--act:#a9d0ff;--on:#06121f;--warn:#ff9d8c;--amber:#ffc964;--calm:#8fdcaa;--drill:#d3b3f5}}
        *{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);font:18px/1.4 system-ui,sans-serif;overflow-wrap:anywhere}
        main{padding:1rem;max-width:80rem;margin:auto}h1{font-size:1.5em;margin:.3em 0}h2{font-size:1.15em;margin:.7em 0 .3em}h3{font-size:1em;margin:.2em 0}p{margin:.3em 0}
        nav{display:flex;flex-wrap:wrap;align-items:center;gap:.3em .8em;padding:.3em 1rem;background:var(--soft)}nav .out{margin-left:auto}
        a{color:var(--act)}nav a{min-height:44px;display:flex;align-items:center}
        button,.go{font:inherit;font-weight:700;min-height:44px;padding:.3em 1em;border:2px solid var(--act);border-radius:.3em;background:var(--act);color:var(--on);cursor:pointer}
        button.plain{background:var(--back);color:var(--act)}button.take{background:var(--warn);border-color:var(--warn);color:var(--back);font-size:1.25em;width:100%}
        button:focus-visible,a:focus-visible,input:focus-visible,select:focus-visible{outline:4px solid var(--text);outline-offset:2px}
        input,select{font:inherit;min-height:44px;width:100%;padding:.3em;border:2px solid var(--line);border-radius:.3em;background:var(--back);color:var(--text)}
        label{font-weight:700}.act{max-width:34rem;margin:.6em 0}.warn{color:var(--warn);font-weight:700}.hidden{display:none}
        .calls{list-style:none;padding:0;display:grid;gap:.6em}.call{border:2px solid var(--line);border-left:14px solid var(--warn);border-radius:.3em;padding:.5em 1em;display:grid;grid-template-columns:7em 1fr auto;gap:.2em 1em;align-items:center}
        .call .age{font-size:1.5em;font-weight:700;font-variant-numeric:tabular-nums}.call h3{font-size:1.15em}.call .go{display:inline-flex;align-items:center;text-decoration:none}
        .pending{border-left-color:var(--amber)}.taken,.over,.closed{border-left-color:var(--calm)}
        .drill{border-style:dashed;border-color:var(--drill)}.drill .badge{background:var(--drill)}
        .badge{display:inline-block;padding:.1em .6em;border-radius:.3em;background:var(--warn);color:var(--back);font-weight:700}.pending .badge{background:var(--amber)}.taken .badge,.over .badge,.closed .badge{background:var(--calm)}
        .parts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:0 2rem}
        .map{width:100%;max-width:30rem;height:auto;background:var(--soft);border:2px solid var(--line)}.map path{fill:none;stroke:var(--line);stroke-width:2}.map text{font-size:40px;fill:var(--text)}
        .map .ring{stroke-dasharray:8 6}.map .error{fill:var(--warn);fill-opacity:.12;stroke:var(--warn)}.map .here{stroke:var(--warn);stroke-width:34;stroke-linecap:round}.map .other{fill:var(--amber);stroke:var(--text)}.map .north{font-weight:700}
        .spark{width:100%;max-width:30rem;height:auto;background:var(--soft)}.spark path{fill:none;stroke:var(--text);stroke-width:4;stroke-linejoin:round;stroke-linecap:round}
        .log{padding-left:1.2em}.log li{margin:.2em 0}
        @media(max-width:40rem){.call{grid-template-columns:1fr}}
        @media(forced-colors:active){.call{border-color:CanvasText}.badge{border:2px solid}}
        """

    /// Replaces the live part of the page after each change, counts the ages, and sounds. The browser reads the part as a
    /// document, in which nothing runs: no policy of Trusted Types is needed. A stream is open only in a visible tab, so that attendance means a page that somebody can see.
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

    static let stylePlace = HTML.Place("/assets").appending("desk-style-" + hash(style)).adding(".css")
    static let scriptPlace = HTML.Place("/assets").appending("desk-script-" + hash(script)).adding(".js")

    static let routes = [
        Route(.get, stylePlace.text, access: .everybody) { _ in
            .text(Array(style.utf8), type: "text/css; charset=utf-8")
        },
        Route(.get, scriptPlace.text, access: .everybody) { _ in
            .text(Array(script.utf8), type: "text/javascript; charset=utf-8")
        },
    ]

    /// FNV-1a of 64 bits: tells versions apart, and protects nothing.
    private static func hash(_ text: String) -> String {
        String(text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
