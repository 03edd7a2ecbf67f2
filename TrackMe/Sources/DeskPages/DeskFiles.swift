import HTML
import WebPages

/// Style of the desk, under a name that changes with its content.
enum DeskFiles {
    static let style = """
        :root{color-scheme:light dark;--back:#fff;--text:#111;--soft:#eef1f4;--line:#555;--act:#0b4a8f;--on:#fff;--warn:#a11200;--amber:#8a5a00;--calm:#1a5c31;--drill:#5b2a86}
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

    static let stylePlace = HTML.Place("/assets").appending("desk-style-" + PageFiles.version(of: style))
        .adding(".css")

    static let routes = [
        Route(.get, stylePlace.text, access: .everybody) { _ in
            .text(Array(style.utf8), type: "text/css; charset=utf-8")
        }
    ]
}
