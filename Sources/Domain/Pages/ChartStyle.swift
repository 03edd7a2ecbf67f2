/// Style of charts, of the report and of the profile; part of the one file of style.
enum ChartStyle {
    /// Letters of a chart are in units of its view box: some 19 px at each width of the screen.
    static let rules = """
        .chart{width:100%;max-width:56rem;height:auto;display:block;margin:.5em 0}.chart text{font-size:38px;fill:var(--text)}.chart path{fill:none}
        .chart .grid{stroke:var(--line);stroke-width:1;opacity:.5}.chart .band{fill:var(--fine);opacity:.18}
        .chart .range{stroke:var(--act);stroke-width:2;opacity:.45}.chart .wide{stroke-width:4}.chart .mean{stroke:var(--text);stroke-width:3;stroke-linejoin:round;stroke-linecap:round}
        .chart .dots{stroke:var(--act);stroke-width:14;stroke-linecap:round}.chart .doubtful{stroke:var(--text);stroke-width:4}
        .chart path.limit{stroke:var(--help);stroke-width:4}.chart path.warning{stroke:var(--warn);stroke-dasharray:12 8}.chart text.limit{font-size:30px;fill:var(--help)}.chart text.warning{fill:var(--warn)}.chart text.limit{paint-order:stroke;stroke:var(--back);stroke-width:8px;stroke-linejoin:round}
        .chart path.alarms{fill:var(--help);stroke:var(--help);stroke-width:2}
        .legend,.entries,.columns{padding:0;list-style:none}.legend li{padding-left:1.2em;margin:.2em 0;border-left:.6em solid transparent}
        .key-band{border-left-color:var(--fine)!important}.key-limit{border-left-color:var(--help)!important}.key-warning{border-left:.6em dotted var(--warn)!important}
        .row{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:0 .5em;padding:0;background:none}
        .row a.ask,.plain,.history>a.ask{background:var(--back);color:var(--act)}.row a.ask{min-height:44px;margin:.2em 0;padding:.2em .4em;text-align:center}.row a[aria-current]{background:var(--act);color:var(--on)}
        .choose{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));gap:0 1em;align-items:end}
        select{font:inherit;min-height:44px;width:100%;padding:.3em;border:2px solid var(--line);border-radius:.3em;background:var(--back);color:var(--text)}select:focus-visible{outline:5px solid var(--text);outline-offset:3px}
        caption{text-align:left;font-weight:700;padding:.4em 0}.figures th,.figures td{overflow-wrap:normal}.figures td,.figures thead th:not(:first-child){text-align:right;font-variant-numeric:tabular-nums}
        .entry,.entries li{border-bottom:1px solid var(--line);padding:.6em 0}.source,.hint{margin:.2em 0}[aria-invalid]{border:3px solid var(--warn)}
        .scroll{overflow-x:auto}.scroll:focus-visible{outline:5px solid var(--text)}.tick{display:flex;gap:.6em;align-items:center;min-height:44px}.tick input{width:44px;height:44px;flex:none}
        .entry form,.entries form,.family section>form.act{max-width:34rem}.entries button{width:auto}
        .strip{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1em;align-items:center}
        @media(max-width:26rem){.figures th,.figures td{padding:.3em .15em}main{padding:.6rem}}
        @media(min-width:40rem){.chart text{font-size:26px}.chart text.limit{font-size:24px}}@media(min-width:60rem){.chart text{font-size:19px}.chart text.limit{font-size:18px}}
        @media(min-width:60rem){.strip .chart text,.strip .chart text.limit{font-size:34px}}
        @media(forced-colors:active){.chart text,.chart text.limit{fill:CanvasText}.chart .range,.chart .mean,.chart .dots,.chart .doubtful{stroke:CanvasText}.chart path.limit,.chart path.alarms{stroke:Highlight}.chart .band{fill:GrayText}}
        @page{size:A4;margin:11mm}
        @media print{.print{font-size:9pt;line-height:1.25}.print main{padding:0;max-width:none}.print h1{font-size:14pt;margin:0}.print h2{font-size:10.5pt;margin:.5em 0 .1em}.print p,.print ul{margin:.15em 0}
        .print th,.print td{padding:.1em .4em}.print section{break-inside:avoid}.print .screen{display:none}.print .strip{grid-template-columns:60% 1fr}.print .chart text{font-size:28px}.print .columns{columns:2}
        :root{--back:#fff;--text:#000;--soft:#fff;--line:#555;--act:#0b4a8f;--warn:#7a2e00;--help:#8c1414;--fine:#0b5123}}
        """
}
