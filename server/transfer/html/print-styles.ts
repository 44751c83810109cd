/** Styles for paper and screen, in the light colours of the application, because paper is light. */
export const printStyles = `
:root { color-scheme: light; --text: #2b2926; --muted: #6b6862; --line: #dedad3; --sunken: #f5f3ef; --accent: #1d6b6b; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 44rem; padding: 2.5rem 1.5rem; background: #fff; color: var(--text);
  font: 11pt/1.6 "Source Serif 4", Charter, "Iowan Old Style", Georgia, serif; overflow-wrap: break-word;
  font-feature-settings: "calt" 0; }
.simple-shaping, .simple-shaping * { font-kerning: none; font-feature-settings: "calt" 0, "mark" 0, "mkmk" 0; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: 0.75rem; }
header h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 0.25rem; }
.details { color: var(--muted); font: 400 0.75rem/1.5 system-ui, sans-serif; margin: 0; }
article { margin: 0 0 1.75rem; }
article > h2 { break-after: avoid; font: 600 0.875rem/1.5 system-ui, sans-serif; margin: 0 0 0.375rem; }
article > h2 small { margin-inline-start: 0.5rem; }
.question .words { background: var(--sunken); border-radius: 0.5rem; padding: 0.625rem 1rem;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.words > :first-child { margin-top: 0; }
.words > :last-child { margin-bottom: 0; }
.words :is(h1, h2, h3, h4, h5, h6) { break-after: avoid; font-size: 1.1rem; line-height: 1.35; margin: 1.25rem 0 0.5rem; }
.files { display: flex; flex-wrap: wrap; gap: 0.5rem; list-style: none; margin: 0 0 0.5rem; padding: 0; }
.files > li { border: 1px solid var(--line); border-radius: 0.5rem; break-inside: avoid; max-width: 100%;
  padding: 0.375rem 0.75rem; font: 400 0.875rem/1.5 system-ui, sans-serif; }
.files img { display: block; height: auto; margin: 0.25rem 0 0.375rem; max-height: 20rem; max-width: 100%; object-fit: contain; width: auto; }
.notice { margin: 0 0 0.75rem; }
.sources { list-style: none; padding: 0; }
.reasoning { border-inline-start: 3px solid var(--line); color: var(--muted); font-size: 0.9em; padding-inline-start: 1rem; }
.reasoning > summary { margin-bottom: 0.375rem; }
.words h1 { font-size: 1.3rem; }
p, ul, ol, blockquote, table, pre { margin: 0 0 0.75rem; }
ul, ol { padding-inline-start: 1.5rem; }
li > p { margin-bottom: 0.25rem; }
a { color: var(--accent); }
blockquote { border-inline-start: 3px solid var(--line); color: var(--muted); margin-inline: 0; padding-inline-start: 1rem; }
blockquote.alert { border-color: var(--text); color: inherit; }
details { margin: 0 0 0.75rem; }
summary { font-weight: 600; }
pre, code { font-family: "JetBrains Mono", ui-monospace, Menlo, Consolas, monospace; font-size: 0.85em; }
pre { background: var(--sunken); border-radius: 0.5rem; padding: 0.75rem 1rem; white-space: pre-wrap;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
pre, figcaption { orphans: 3; widows: 3; }
figure { margin: 0 0 0.75rem; }
figure pre { margin: 0; }
figcaption { break-after: avoid; color: var(--muted); font: 400 0.75rem/1.5 system-ui, sans-serif; margin-bottom: 0.25rem; }
math { font-size: 1.08em; }
math[display="block"] { break-inside: avoid; margin: 0 0 0.75rem; max-width: 100%; overflow-x: auto; }
pre.plain { background: none; font: inherit; padding: 0; }
pre.plain:has(+ pre.plain) { margin-bottom: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.375rem 0.75rem 0.375rem 0; vertical-align: top; }
tr, img { break-inside: avoid; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
pre, code { direction: ltr; unicode-bidi: isolate; }
.own-way, li > p[dir], th, td { text-align: -webkit-match-parent; text-align: match-parent; }
[align="center"] { text-align: center; }
[align="right"] { text-align: right; }
@media screen { pre.plain + pre.plain, pre.plain:has(+ pre.plain) { content-visibility: auto; contain-intrinsic-size: auto 40rem; } }
@page { margin: 18mm 16mm; }
@media print { body { max-width: none; padding: 0; } math[display="block"] { overflow: visible; } }
`;
