package import HTML

/// Style and script of the pages: one file each, served under a name that changes with the content.
package enum PageFiles {
    package static let style = """
        :root{color-scheme:light dark;--back:#fff;--text:#111;--soft:#eef1f4;--line:#555;--act:#0b4a8f;--on:#fff;--warn:#7a2e00;--help:#8c1414;--fine:#0b5123}
        @media(prefers-color-scheme:dark){:root{--back:#0d0f12;--text:#f4f4f4;--soft:#1d2228;--line:#a8b0b8;--act:#a9d0ff;--on:#06121f;--warn:#ffc58a;--help:#ffb3b3;--fine:#a6e8b8}}
        *{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);font-family:system-ui,sans-serif;line-height:1.4;overflow-wrap:anywhere}
        .hidden{display:none}main{padding:1rem;max-width:60rem;margin:auto}h1{font-size:1.5em;margin:.4em 0}h2{font-size:1.1em;margin:.3em 0}p{margin:.4em 0}
        a{color:var(--act)}.warn{color:var(--warn);font-weight:700}.lost{background:var(--warn);color:var(--back);padding:.6rem 1rem;font-weight:700}.lost.hidden{display:none}.grave{color:var(--help);font-weight:700}.band{background:var(--help);padding:.4rem 1rem;font-weight:700}.band a{color:var(--back);display:flex;align-items:center;min-height:44px}.held{border-color:var(--warn)}
        .family,.print{font-size:19px}.kiosk{font-size:28px}.kiosk main{max-width:none;min-height:100vh;padding:1rem 2rem}
        button,a.help,a.fine,a.ask{font:inherit;font-weight:700;min-height:44px;padding:.4em 1em;border:3px solid var(--act);border-radius:.4em;background:var(--act);color:var(--on);cursor:pointer;touch-action:manipulation;width:100%;display:flex;align-items:center;justify-content:center;text-decoration:none;margin:.4em 0}
        .kiosk button,.kiosk a.help,.kiosk a.fine,.kiosk a.ask{min-height:96px}.kiosk .help{min-height:max(96px,20vh);font-size:1.6em}.kiosk button.fine{min-height:34vh;font-size:2.2em}
        .help{background:var(--help)!important;border-color:var(--help)!important}.fine{background:var(--fine)!important;border-color:var(--fine)!important}
        button:focus-visible,a:focus-visible,input:focus-visible{outline:5px solid var(--text);outline-offset:3px}
        input{font:inherit;min-height:44px;width:100%;padding:.3em;border:2px solid var(--line);border-radius:.3em;background:var(--back);color:var(--text)}.kiosk input{min-height:96px}label{display:block;margin:.5em 0}
        .kiosk main{padding:.4rem 1.5rem}.kiosk h2{font-size:1em;margin:0}.kiosk p{margin:.15em 0}.kiosk .big{font-size:clamp(32px,4.4vw,64px);margin:.1em 0}
        .kiosk .alarm{display:flex;flex-direction:column;min-height:calc(100vh - 3rem);padding:.2em .6em;margin:.2em 0}.kiosk .alarm form:first-of-type{flex:2;display:flex}.kiosk .alarm button{margin:.15em 0;height:auto}.kiosk .tile{padding:.2em .6em}
        .kiosk .rest>a.help{position:sticky;bottom:.4rem}.lost{position:relative;z-index:2}
        .frozen{visibility:hidden;position:absolute;animation:frozen 1ms 15s forwards}.live .frozen{display:none}@keyframes frozen{to{visibility:visible;position:relative}}
        .rest{display:flex;flex-direction:column;min-height:calc(100vh - 2rem)}.kiosk .rest>.help,.kiosk .rest>form:last-child{margin-top:auto}
        .big{font-size:clamp(32px,6vw,72px);line-height:1.15}.clock{font-size:1.4em}.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:1rem}
        .tile,.alarm{background:var(--soft);border-radius:.4em;padding:.6em 1em}.alarm{border:4px solid var(--help);margin:.5em 0}.figure{font-size:1.8em;font-weight:700}.figure small{font-size:.5em}
        .bar{width:100%;height:24px;background:var(--back);border:2px solid var(--line)}.bar .run{fill:var(--help)}
        nav{display:flex;flex-wrap:wrap;gap:.5em;padding:.3em 1rem;background:var(--soft)}nav a{min-height:44px;display:flex;align-items:center;padding:0 .5em}
        table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4em;border-bottom:1px solid var(--line);vertical-align:top}
        .kiosk .night{position:fixed;inset:0;background:#000;color:#b8b8b8;padding:2rem}.night .big,.night .tiles{display:none}.night .clock{font-size:4em;text-align:center;margin:auto}
        .steps{list-style:none;padding:0}.steps>li{border-left:.5em solid var(--warn);padding:.2em .8em;margin:.6em 0;background:var(--soft)}.steps>li.done{border-color:var(--fine)}.done>.mark{color:var(--fine)}.open>.mark{color:var(--warn)}.mark{font-weight:700}select{font:inherit;min-height:44px;width:100%;background:var(--back);color:var(--text);border:2px solid var(--line);border-radius:.3em}select:focus-visible{outline:5px solid var(--text);outline-offset:3px}.qr{width:min(100%,20rem);background:#fff;display:block;margin:1em auto}.qr path{fill:#000}.bars{width:2.5em;height:2em;float:right}.bars .on{fill:var(--fine)}.bars .off{fill:none;stroke:var(--line)}.well{color:var(--fine);font-weight:700}.steps h3{margin:.3em 0}.steps>li.calm{border-color:var(--line)}label>input{margin-top:.5rem}p>a{display:inline-block;min-height:44px;padding:.5em 0}.code{font-size:2em;font-weight:700;letter-spacing:.1em;text-align:center}
        .away{background:#ffc83d;color:#1b1300;padding:1rem 1.5rem}.away a{color:#1b1300;min-height:44px;display:inline-block;padding:.3em 0}.away p{margin:.2em 0}.away .dial{font-weight:700;font-size:clamp(72px,min(20vh,28vw),240px);line-height:1.05;white-space:nowrap}.lost.whole:not(.hidden)~main,.lost.whole:not(.hidden)~nav{display:none}.kiosk .away{position:fixed;inset:0;overflow:auto}
        @media(forced-colors:active){button,.tile,.alarm,a.help,a.fine{border:3px solid ButtonText}.bar .run{fill:Highlight}}
        @media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}.frozen{animation:frozen 1ms 15s forwards!important}}
        @media print{nav,form,.lost{display:none}body{font-size:12pt;background:#fff;color:#000}}
        """ + ChartStyle.rules + RaceStyle.rules

    /// The stream `/stream?page=room` or `today` sends the event `page`, whose data is one line: the JSON text of the content of `<main>`.
    /// The policy `homegateway` of Trusted Types takes it, and only it: the server has escaped each text in it.
    /// Its forms have no token: `<main>` of the page has that of the session.
    /// The event `alive`, at least each second, keeps the text of a lost console away. A page without a stream of its own
    /// with the content `away` asks for itself each second, until the gateway answers.
    /// An open page of a session asks for `/alive` every ten seconds: the server closes a connection that is idle for 30 s, and a press on
    /// "I am fine" needs one at once.
    package static let script = """
        'use strict';(()=>{document.documentElement.classList.add('live');
        const policy=window.trustedTypes?trustedTypes.createPolicy('homegateway',{createHTML:s=>s}):{createHTML:s=>s};
        const main=document.getElementById('main'),lost=document.getElementById('lost');
        const own=['install','devices','pair','doctor','walk','link-code'];let stream=null,opened=0,heard=performance.now(),shown=performance.now(),last='';
        const live=()=>{const p=main.querySelector('[data-page]');if(!p)return '';if(p.dataset.stream)return p.dataset.stream;const n=p.dataset.page;return ['room','alarm','cancelled','taken','today','help','question'].concat(own).includes(n)?'/stream?page='+(own.concat('today').includes(n)?n:'room'):''};
        let countdown=null;
        const start=()=>{const t=main.querySelector('[data-left]');countdown=null;shown=performance.now();if(!t)return;
        const bar=t.querySelector('rect'),words=t.querySelector('.words'),left=+t.dataset.left;
        const total=Math.max(left,1),end=shown+left;countdown={bar,words,total,end}};
        const kinds=()=>Array.from(main.querySelectorAll('form')).map(f=>f.getAttribute('action')+(f.elements.alarm?f.elements.alarm.value:'')).join();
        let down=0,held=null;
        const release=()=>{down=0;setTimeout(()=>{const text=held;held=null;if(text!==null)show(text)},0)};
        const key=e=>e&&e.form?[e.form.getAttribute('action'),e.name,...Array.from(e.form.querySelectorAll('[type=hidden]:not([name=token])'),i=>i.value)].join():e&&e.getAttribute&&e.getAttribute('href');
        const busy=grave=>down&&performance.now()-down<2000||!grave&&document.activeElement&&document.activeElement.tagName==='INPUT'&&main.contains(document.activeElement)&&document.activeElement.value;
        const at=name=>main.querySelector('[data-page='+name+']');
        const show=text=>{const grave=text.includes('data-page="alarm"');if(!grave&&!text.includes('data-page="away"')&&(at('help')||at('question')))return;
        if(busy(grave&&!at('today'))){held=text;return}if(text===last)return;last=text;const bar=countdown;const before=kinds(),focus=key(document.activeElement);
        const since=shown;main.innerHTML=policy.createHTML(text);for(const i of main.querySelectorAll('input[name=token]'))i.value=main.dataset.token;start();if(kinds()===before){shown=since;if(bar&&countdown)countdown.total=Math.max(bar.total,countdown.total)}
        const again=focus&&Array.from(main.querySelectorAll('a,button,input')).find(e=>key(e)===focus),next=again||main.querySelector('[autofocus]');if(next)next.focus({preventScroll:!!again})};
        const hear=()=>{heard=performance.now();lost.classList.add('hidden')};
        const open=()=>{if(stream||document.hidden||!live())return;opened=performance.now();stream=new EventSource(live());
        stream.addEventListener('alive',hear);stream.addEventListener('page',e=>{hear();show(JSON.parse(e.data))})};
        const close=()=>{if(stream){stream.close();stream=null}};
        document.addEventListener('visibilitychange',()=>{heard=performance.now();document.hidden?close():open()});addEventListener('pagehide',close);addEventListener('pageshow',open);
        setInterval(()=>{const now=performance.now();
        if(!document.hidden&&(live()||asks)&&now-heard>2500){lost.classList.remove('hidden');if(live()&&now-opened>2000){close();open()}}
        if(countdown){const left=Math.max(countdown.end-now,0);countdown.bar.setAttribute('width',String(100*left/countdown.total));
        countdown.words.textContent=countdown.words.textContent.replace(/\\d+(?= s$)/,String(Math.ceil(left/1000)))}},250);
        for(const e of ['pointerdown','keydown'])addEventListener(e,()=>{down=performance.now()},true);
        for(const e of ['pointerup','pointercancel','keyup'])addEventListener(e,release,true);
        document.addEventListener('click',e=>{const b=e.target.closest&&e.target.closest('[data-guard]');
        if(b&&performance.now()-shown<+b.dataset.guard)e.preventDefault()},true);
        const code=document.querySelector('input[name=code]');if(code&&location.hash.length>1){code.value=location.hash.slice(1);history.replaceState(null,'',location.pathname)}
        if(main.dataset.leave)setTimeout(()=>location.assign('/'),1000*main.dataset.leave);
        const away=at('away'),asks=away&&!away.dataset.stream,place=asks&&away.dataset.back||location.href;
        const ask=()=>fetch(place,{cache:'no-store',redirect:'manual',signal:AbortSignal.timeout(2000)}).then(r=>{hear();if(r.status!==503)location.replace(place)}).catch(()=>{}).then(()=>setTimeout(ask,1000));
        if(asks)setTimeout(ask,1000);
        const connect=()=>{if(!document.hidden&&live()&&main.dataset.token)fetch('/alive',{cache:'no-store',signal:AbortSignal.timeout(5000)}).catch(()=>{})};
        connect();setInterval(connect,10000);
        start();open()})();
        """

    package static let stylePlace = HTML.Place("/").appending("console-" + hash(style)).adding(".css")
    package static let scriptPlace = HTML.Place("/").appending("console-" + hash(script)).adding(".js")

    /// FNV-1a of 64 bits: tells versions apart, and protects nothing.
    private static func hash(_ text: String) -> String {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(value, radix: 16)
    }
}
