/// Rules of the race pages in the style file.
enum RaceStyle {
    static let rules = """

        .find{padding:0 1rem .4rem;max-width:60rem;margin:auto}.find button{margin:.5em 0}
        .race{display:grid;gap:0 1.5rem;grid-template-columns:minmax(0,1fr)}@media(min-width:60rem){.race{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}.race .course{position:sticky;top:.5rem;align-self:start}}
        .map{display:block;width:100%;max-height:70vh;background:var(--soft);border-radius:.4em}
        .map path{fill:none;stroke-linecap:round;stroke-linejoin:round}.map .course{stroke:var(--line);stroke-width:8}.map .points{stroke:var(--text);stroke-width:26}
        .map .projected{stroke:var(--act);stroke-width:34}.map .hole{stroke:var(--back);stroke-width:20}.map .located{stroke:var(--act);stroke-width:34}
        .map text{font-size:40px;fill:var(--text);stroke:var(--soft);stroke-width:8px;paint-order:stroke;stroke-linejoin:round}.map text.bib{font-weight:700;fill:var(--act)}
        @media(min-width:40rem){.map text{font-size:30px}}
        .keys{list-style:none;padding:0}.keys li{display:flex;align-items:center;gap:.5em}.keys li::before{content:"";width:.9em;height:.9em;border-radius:50%;border:.2em solid var(--act);flex:none}.key-located::before{background:var(--act)}
        .standings td,.standings th{padding:.3em .25em}.standings small{display:block;font-size:.85em;font-weight:400}.standings thead th{overflow-wrap:normal;font-size:.85em}.standings .rank{font-weight:700}.standings thead th:first-child{width:3.4em}.results td,.results th{overflow-wrap:normal}.results .time,.splits td{white-space:nowrap}.results .time{text-align:right;font-variant-numeric:tabular-nums}.standings .time{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.standings thead th:last-child{text-align:right}
        .runner{display:flex;align-items:center;min-height:44px;font-weight:700}.bibs{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.3em 1em}
        .board{display:grid;gap:0 2rem;grid-template-columns:minmax(0,1fr)}@media(min-width:60rem){.board{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}}
        .board ol{list-style:none;padding:0;margin:0}.board li{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .6em;border-bottom:2px solid var(--line);line-height:1.15}@media(min-width:60rem){.board li{display:grid;grid-template-columns:3.2em minmax(0,1fr) auto;font-size:clamp(28px,3.4vh,60px)}.board .fact{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.board section:last-child li{font-size:clamp(28px,3vh,52px);grid-template-columns:3em minmax(0,1fr)}.board section:last-child li .fact:nth-child(2){display:none}}
        .board .number{font-size:1.35em;font-weight:700;min-width:3.4ch;font-variant-numeric:tabular-nums}.kiosk .board-title{font-size:1.2em;margin:0}.kiosk .board h2{font-size:1em;margin:.2em 0}
        @media(max-width:26rem){.kiosk .board{font-size:22px}.kiosk main{padding:.4rem .8rem}}
        nav a[aria-current]{font-weight:700;color:var(--text)}h3{font-size:1em;margin:.8em 0 .2em}
        @media(forced-colors:active){.map path{stroke:CanvasText}.map .hole{stroke:Canvas}.map text{fill:CanvasText;stroke:Canvas}}
        @media print{.print nav.screen{display:none}.print tr{break-inside:avoid}}
        """
}
