// SPDX-License-Identifier: Apache-2.0
#include "clack/report/markup.hpp"

namespace clack::report {

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '&')
      escaped += "&amp;";
    else if (letter == '<')
      escaped += "&lt;";
    else if (letter == '>')
      escaped += "&gt;";
    else if (letter == '"')
      escaped += "&quot;";
    else if (letter == '\'')
      escaped += "&#39;";
    else if (code == 0x7F || (code < 0x20 && letter != '\n' && letter != '\t'))
      escaped += '?';
    else
      escaped += letter;
  }
  return escaped;
}

std::string_view plot_css() {
  return R"(:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#1d2126;--soft:#656d76;--rule:#e4e2dd;
--grid:#ecebe7;--c0:#1f6fb4;--c1:#c8501f;--c2:#2a8a57;--c3:#8a4fa3;--c4:#b98a00;--c5:#0f8f9c;--c6:#b8396b;--c7:#5d6670;
--open:#e6e8ea;--stick:#2a8a57;--slip:#e39a1d;--hit:#c0262d;--impulse:#6a3fb5;--faint:.32}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--card:#1b1f23;--ink:#e6e8ea;--soft:#97a0aa;--rule:#2e343a;
--grid:#272c31;--c0:#62aaf0;--c1:#f08a5b;--c2:#5cc48d;--c3:#c48fdc;--c4:#e0b840;--c5:#4cc3cf;--c6:#ec7fa8;--c7:#a3acb5;
--open:#2a3036;--stick:#47b07b;--slip:#e9aa3c;--hit:#ff6b6b;--impulse:#b79cff;--faint:.38}}
.plot{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;display:block}
.plot text{fill:var(--soft);font-variant-numeric:tabular-nums}
.plot .title{fill:var(--ink);font-size:12.5px;font-weight:600}
.plot .grid{stroke:var(--grid);stroke-width:1;shape-rendering:crispEdges}
.plot .zero{stroke:var(--soft);stroke-opacity:.55;stroke-width:1;shape-rendering:crispEdges}
.plot .field path{fill:none;stroke-width:1.4;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.plot .key{stroke-width:2.5}
.plot .s0{stroke:var(--c0)}.plot .s1{stroke:var(--c1)}.plot .s2{stroke:var(--c2)}.plot .s3{stroke:var(--c3)}
.plot .s4{stroke:var(--c4)}.plot .s5{stroke:var(--c5)}.plot .s6{stroke:var(--c6)}.plot .s7{stroke:var(--c7)}
.plot .faint{stroke-opacity:var(--faint);stroke-width:1}
.plot .open{fill:var(--open)}.plot .stick{fill:var(--stick)}.plot .slip{fill:var(--slip)}.plot .hit{fill:var(--hit)}
.plot .on{fill:var(--c0)}
.automaton .location rect{fill:var(--card);stroke:var(--soft);stroke-width:1.2}
.automaton .what{fill:var(--ink);font-weight:600}.automaton .way path{fill:none;stroke:var(--soft)}
.automaton .way .tip{fill:var(--soft);stroke:none}.automaton .location.lit rect{fill:color-mix(in srgb,var(--c4) 30%,var(--card));stroke:var(--ink);stroke-width:2.4}
.automaton .way.lit path{stroke:var(--hit)}.automaton .way.lit .tip{fill:var(--hit)}
)";
}

std::string_view page_css() {
  return R"(*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif}
main{max-width:1220px;margin:0 auto;padding:40px 28px 80px}
h1{font-size:28px;line-height:1.2;font-weight:650;letter-spacing:-.01em;margin:0 0 4px;text-wrap:balance}
h2{font-size:18px;font-weight:650;margin:44px 0 6px}
p{margin:0 0 12px;max-width:100ch}.soft{color:var(--soft)}
header .file{color:var(--soft);margin:0 0 18px}
.badge{display:inline-block;vertical-align:4px;margin-left:10px;padding:1px 10px;border-radius:99px;font-size:13px;
font-weight:600;color:#fff;background:#22774a}
@media (prefers-color-scheme:dark){.badge{color:#10141a;background:var(--stick)}}
.badge.stopped{background:var(--hit)}
.stop{border-left:3px solid var(--hit);padding:2px 0 2px 14px;margin:0 0 18px}
dl.facts{display:grid;grid-template-columns:repeat(6,1fr);gap:1px;margin:0;background:var(--rule);
border:1px solid var(--rule);border-radius:8px;overflow:hidden}
dl.facts div{background:var(--card);padding:9px 14px}
dt{font-size:12px;color:var(--soft)}dd{margin:0;font-weight:550;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.card{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:14px 16px;overflow-x:auto}
.row{display:grid;grid-template-columns:repeat(3,1fr);gap:0 18px;background:var(--card);border:1px solid var(--rule);
border-radius:8px;padding:14px 16px;margin:0 0 12px}
.pair{display:grid;grid-template-columns:minmax(280px,1fr) minmax(0,2.2fr);gap:12px;align-items:start}
.row svg,.card svg{width:100%;height:auto}
@media (max-width:900px){.row,.pair{grid-template-columns:1fr}dl.facts{grid-template-columns:repeat(3,1fr)}}
@media (max-width:520px){dl.facts{grid-template-columns:repeat(2,1fr)}main{padding:24px 14px}}
.tools{display:flex;gap:14px;align-items:center;margin:0 0 8px}
input[type=search]{font:inherit;font-size:14px;padding:5px 10px;width:280px;color:inherit;background:var(--card);
border:1px solid var(--rule);border-radius:6px}
.scroll{max-height:460px;overflow:auto;background:var(--card);border:1px solid var(--rule);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}
th{position:sticky;top:0;background:var(--card);text-align:left;font-weight:600;font-size:12px;color:var(--soft);
box-shadow:inset 0 -1px var(--rule);padding:8px 12px;white-space:nowrap}
td{padding:4px 12px;border-top:1px solid var(--grid);vertical-align:top}
tr:first-child td{border-top:0}
.n{text-align:right;white-space:nowrap}
tbody tr:hover{background:color-mix(in srgb,var(--c0) 9%,transparent)}
.dot{display:inline-block;width:8px;height:8px;border-radius:50%;margin-right:8px;background:var(--c7)}
.dot.impact{background:var(--hit)}.dot.stick,.dot.close{background:var(--stick)}
.dot.slip,.dot.slip-reversal{background:var(--slip)}.dot.detach{background:var(--c0)}.dot.zeno{background:var(--c3)}
.flag{display:inline-block;white-space:nowrap;padding:0 8px;border-radius:99px;font-size:12px;border:1px solid var(--slip);margin:0 4px 2px 0}
.flag.red,table.ledger tr.open td{border-color:var(--hit);color:var(--hit)}table.ledger td{padding:5px 0}table.ledger tr.sum td{border-top:1.5px solid var(--soft);font-weight:600}
ul.notes{margin:0 0 12px;padding-left:20px}
.cursor{stroke:var(--soft);stroke-width:1;vector-effect:non-scaling-stroke;stroke-dasharray:3 3}
.zoom{fill:var(--c0);fill-opacity:.14;pointer-events:none}.cursor{pointer-events:none}
.plot .field .dots{stroke:var(--ink);stroke-width:4;stroke-linecap:round;stroke-opacity:.6}
.plot .here{fill:var(--hit);stroke:var(--card);stroke-width:1.5}
svg.linked:focus-visible,canvas:focus-visible,button:focus-visible{outline:2px solid var(--c0);outline-offset:2px}svg.linked:focus:not(:focus-visible){outline:1px dotted var(--soft)}
button.link{font:inherit;padding:0;border:0;background:none;color:var(--c0);text-decoration:underline;cursor:pointer}
tr.now{background:color-mix(in srgb,var(--c4) 10%,transparent);box-shadow:inset 3px 0 var(--c4)}
tr.unfolded td{padding:6px 12px 14px 48px;background:color-mix(in srgb,var(--c0) 5%,transparent)}
dl.impact{display:flex;flex-wrap:wrap;gap:4px 26px;margin:0 0 8px}ul.laws,ul.words{margin:0 0 10px;padding-left:20px}ul.words li{margin:2px 0}a{color:var(--c0)}a.flag{color:inherit;text-decoration:none}a.flag:hover{text-decoration:underline}
#manual summary{cursor:pointer;font-weight:600}#manual .wide{margin-bottom:1em}#manual pre{overflow:auto;font-size:13px}table.manual th{position:static}table.manual tr.here{background:color-mix(in srgb,var(--c4) 14%,transparent)}li.bad{color:var(--hit)}
.stages{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:12px}figure{margin:0}figcaption{font-size:13.5px;font-weight:600}
.wide{overflow-x:auto}.card .automaton{width:auto;max-width:100%;margin:0 auto}
@media print{.tools{display:none}.scroll{max-height:none;overflow:visible}body{background:#fff}section{break-inside:auto}.row,.card{break-inside:avoid}main{max-width:none;padding:0}}
.linked{cursor:crosshair;user-select:none;-webkit-user-select:none}
.plot .read{fill:var(--ink)}
)";
}

}  // namespace clack::report
