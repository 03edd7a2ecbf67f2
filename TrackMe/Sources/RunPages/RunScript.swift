import HTML
import WebPages

/// Script of the pages of spectators, under a name that changes with its content.
enum RunScript {
    /// Moves the dots of the map by the frames of the stream, and loads the part anew when the standings have changed, at a
    /// random instant of the time that the event names. A stream is open only in a visible tab. The browser reads the part as
    /// a document, in which nothing runs.
    static let script = """
        'use strict';(()=>{
        const live=document.querySelector('[data-live]'),lost=document.getElementById('lost');if(!live)return;
        let stream=null,heard=performance.now(),frame=null,busy=false,again=false,timer=0;
        const hear=()=>{heard=performance.now();lost.classList.add('hidden')};
        const shown=()=>{const one=live.dataset.page.match(/\\/runners\\/(\\d+)/);if(one)return new Set([+one[1]]);
        return live.dataset.page.includes('?')?new Set([...live.querySelectorAll('tbody th a')].map(a=>+a.getAttribute('href').split('/').pop())):null};
        const draw=()=>{if(!frame)return;const only=shown(),paths=['',''],at=new Map();
        for(const [bib,x,y,located] of frame.d){if(only&&!only.has(bib))continue;paths[located]+='M'+x+' '+y+'h0';at.set(bib,[x,y])}
        for(const [name,d] of [['located',paths[1]],['projected',paths[0]],['hole',paths[0]]]){const p=live.querySelector('svg.map path.'+name);if(p)p.setAttribute('d',d)}
        for(const t of live.querySelectorAll('svg.map text.bib')){const p=at.get(+t.textContent);if(p){t.setAttribute('x',p[0]);t.setAttribute('y',p[1]-26)}t.classList.toggle('hidden',!p)}};
        const ask=()=>new Promise((take,fail)=>{const r=new XMLHttpRequest();r.open('GET',live.dataset.page);r.responseType='document';r.timeout=10000;r.onload=()=>take(r);r.onerror=r.ontimeout=fail;r.send()});
        const load=async()=>{if(busy){again=true;return}busy=true;try{do{again=false;const r=await ask();
        if(r.status===404){location.reload();return}if(r.status!==200||!r.response)throw new Error(r.status);
        live.replaceChildren(...r.response.body.childNodes);draw()}while(again)}catch(e){lost.classList.remove('hidden')}finally{busy=false}};
        const later=seconds=>{if(!timer)timer=setTimeout(()=>{timer=0;load()},Math.random()*seconds*1000)};
        const open=()=>{if(stream||document.hidden)return;hear();stream=new EventSource(live.dataset.live);stream.onopen=hear;stream.addEventListener('alive',hear);
        stream.addEventListener('frame',e=>{hear();frame=JSON.parse(e.data);draw()});
        stream.addEventListener('change',e=>{hear();later(+e.data)})};
        const close=()=>{if(stream){stream.close();stream=null}};
        document.addEventListener('visibilitychange',()=>document.hidden?close():open());addEventListener('pagehide',close);addEventListener('pageshow',open);
        setInterval(()=>{if(document.hidden)return;if(performance.now()-heard>20000)lost.classList.remove('hidden');if(stream&&stream.readyState===2){const late=heard;stream=null;open();heard=late}},1000);
        open()})();
        """

    static let place = HTML.Place("/assets").appending("run-" + PageFiles.version(of: script)).adding(".js")

    static let routes = [
        Route(.get, place.text, access: .everybody) { _ in
            .text(Array(script.utf8), type: "text/javascript; charset=utf-8")
        }
    ]
}
