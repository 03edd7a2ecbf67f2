import HTML

/// Style and script of the pages: one file each, served under a name that changes with the content.
public enum PageFiles {
    static let style = """
        :root{color-scheme:light dark;--back:#fff;--text:#111;--soft:#eef1f4;--line:#555;--act:#0b4a8f;--on:#fff;--warn:#7a2e00}
        @media(prefers-color-scheme:dark){:root{--back:#0d0f12;--text:#f4f4f4;--soft:#1d2228;--line:#a8b0b8;--act:#a9d0ff;--on:#06121f;--warn:#ffc58a}}
        *{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);font:18px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
        main{padding:1rem;max-width:60rem;margin:auto}h1{font-size:1.5em;margin:.4em 0}h2{font-size:1.15em;margin:.8em 0 .3em}p{margin:.4em 0}
        nav{display:flex;flex-wrap:wrap;align-items:center;gap:.2em .4em;padding:.3em 1rem;background:var(--soft)}nav a,.links a{min-height:44px;display:flex;align-items:center;padding:0 .5em}
        nav .out{margin-left:auto}.links{display:flex;flex-wrap:wrap;gap:.3em;background:none;padding:0}
        a{color:var(--act)}a[aria-current]{font-weight:700;text-decoration:none;border-bottom:3px solid var(--act)}
        button{font:inherit;font-weight:700;min-height:44px;padding:.3em 1em;border:2px solid var(--act);border-radius:.3em;background:var(--act);color:var(--on);cursor:pointer}
        button.plain{background:var(--back);color:var(--act)}
        button:focus-visible,a:focus-visible,input:focus-visible,select:focus-visible,.scroll:focus-visible{outline:4px solid var(--text);outline-offset:2px}
        .act,.choose{max-width:34rem}.field{margin:.8em 0}label{font-weight:700}select+label{display:block;margin-top:.8em}select+.tick{display:flex;margin:.8em 0}.hint{margin:.1em 0}
        input,select{font:inherit;min-height:44px;width:100%;padding:.3em;border:2px solid var(--line);border-radius:.3em;background:var(--back);color:var(--text)}
        input[aria-invalid]{border:3px solid var(--warn)}.warn{color:var(--warn);font-weight:700}
        .tick{display:flex;gap:.6em;align-items:center;min-height:44px}.tick input{width:32px;min-height:32px;flex:none}
        .choose{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,11rem),1fr));gap:0 1em;align-items:end;max-width:none}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:1rem}.tile{background:var(--soft);border-radius:.4em;padding:.6em 1em}
        .figure{font-size:2.2em;font-weight:700;margin:0;font-variant-numeric:tabular-nums}
        .entries{list-style:none;padding:0}.entries li{border-bottom:1px solid var(--line);padding:.6em 0}
        .badge{display:inline-block;padding:.05em .5em;border-radius:.3em;border:2px solid;font-weight:700}
        table{border-collapse:collapse;width:100%}caption{text-align:left;font-weight:700;padding:.4em 0}th,td{text-align:left;padding:.35em .5em;border-bottom:1px solid var(--line)}td{font-variant-numeric:tabular-nums}
        .scroll{overflow-x:auto}.hidden{display:none}
        .chart{width:100%;max-width:56rem;height:auto;display:block;margin:.5em 0}.chart text{font-size:38px;fill:var(--text)}.chart path{fill:none}
        .chart .grid{stroke:var(--line);stroke-width:1;opacity:.5}.chart .range{stroke:var(--act);stroke-width:2;opacity:.45}.chart .wide{stroke-width:4}
        .chart .mean{stroke:var(--text);stroke-width:3;stroke-linejoin:round;stroke-linecap:round}.chart .dots{stroke:var(--act);stroke-width:14;stroke-linecap:round}
        .chart path.alarms{fill:var(--warn);stroke:var(--warn);stroke-width:2}
        @media(min-width:40rem){.chart text{font-size:26px}}@media(min-width:60rem){.chart text{font-size:19px}}
        @media(forced-colors:active){.chart text{fill:CanvasText}.chart .range,.chart .mean,.chart .dots{stroke:CanvasText}.chart path.alarms{stroke:Highlight}.tile{border:2px solid}}
        .map{display:block;width:100%;max-width:56rem;max-height:70vh;background:var(--soft);border-radius:.4em}
        .map path{fill:none;stroke-linecap:round;stroke-linejoin:round}.map .course{stroke:var(--line);stroke-width:8}.map .points{stroke:var(--text);stroke-width:26}
        .map .projected,.map .located{stroke:var(--act);stroke-width:34}.map .hole{stroke:var(--back);stroke-width:20}
        .map text{font-size:40px;fill:var(--text);stroke:var(--soft);stroke-width:8px;paint-order:stroke;stroke-linejoin:round}.map text.bib{font-weight:700;fill:var(--act)}
        .keys{list-style:none;padding:0}.keys li{display:flex;align-items:center;gap:.5em}.keys li::before{content:"";width:.9em;height:.9em;border-radius:50%;border:.2em solid var(--act);flex:none}.keys .key-located::before{background:var(--act)}
        @media(forced-colors:active){.map path{stroke:CanvasText}.map .hole{stroke:Canvas}.map text{fill:CanvasText;stroke:Canvas}}
        @media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
        @media print{nav,form{display:none}}
        """

    /// Keeps the values of a page current. Each event has a kind with its words; the script writes text alone. A stream is
    /// open only in a visible tab, since six over HTTP/1.1 fill a browser.
    static let script = """
        'use strict';(()=>{
        const place=document.querySelector('[data-live]'),lost=document.getElementById('lost');
        if(!place)return;
        let stream=null,heard=performance.now();
        const hear=()=>{heard=performance.now();lost.classList.add('hidden')};
        const open=()=>{if(stream||document.hidden)return;hear();stream=new EventSource(place.dataset.live);
        stream.onopen=hear;stream.addEventListener('alive',hear);
        stream.addEventListener('reading',e=>{hear();const r=JSON.parse(e.data),v=document.getElementById('value-'+r.kind),t=document.getElementById('time-'+r.kind);
        if(v&&t){v.textContent=r.value;t.textContent=r.time}})};
        const close=()=>{if(stream){stream.close();stream=null}};
        document.addEventListener('visibilitychange',()=>document.hidden?close():open());addEventListener('pagehide',close);addEventListener('pageshow',open);
        setInterval(()=>{if(document.hidden)return;if(performance.now()-heard>20000)lost.classList.remove('hidden');
        if(stream&&stream.readyState===2){const late=heard;stream=null;open();heard=late}},1000);
        open()})();
        """

    static let stylePlace = HTML.Place("/assets").appending("style-" + version(of: style)).adding(".css")
    static let scriptPlace = HTML.Place("/assets").appending("script-" + version(of: script)).adding(".js")

    static let routes = [
        Route(.get, stylePlace.text, access: .everybody) { _ in
            .text(Array(style.utf8), type: "text/css; charset=utf-8")
        },
        Route(.get, scriptPlace.text, access: .everybody) { _ in
            .text(Array(script.utf8), type: "text/javascript; charset=utf-8")
        },
    ]

    /// FNV-1a of 64 bits: tells versions apart, and protects nothing.
    public static func version(of text: String) -> String {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(value, radix: 16)
    }
}
