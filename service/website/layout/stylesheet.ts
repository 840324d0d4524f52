// The website's only stylesheet, light and dark, from phone to desktop, built from the app's design tokens. A string in a module,
// because the bundled service has no files next to its source.
import { designTokens } from '@rainbell/shared';

export const stylesheet = `${designTokens}@font-face {
  font-family: 'Inter Variable';
  src: url('/assets/inter.woff2') format('woff2');
  font-weight: 100 900;
  font-display: swap;
}
:root { color-scheme: light dark; }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--rb-page);
  color: var(--rb-text);
  font-family: var(--rb-sans);
  font-size: var(--rb-text-16);
  line-height: var(--rb-leading);
  font-feature-settings: 'cv11', 'ss03';
  -webkit-font-smoothing: antialiased;
}
main { width: min(1120px, 100% - 40px); margin: var(--rb-space-32) auto var(--rb-space-32); flex: 1; outline: none; }
.width-narrow main { width: min(560px, 100% - 40px); }
.width-bare main { width: min(460px, 100% - 32px); margin: auto; padding: var(--rb-space-24) 0; flex: none; }
h1 { font-size: var(--rb-text-20); font-weight: var(--rb-weight-strong); letter-spacing: -0.02em; margin: 0 0 var(--rb-space-8); }
h2 { font-size: var(--rb-text-16); font-weight: var(--rb-weight-strong); letter-spacing: -0.01em; margin: 0 0 var(--rb-space-12); }
h3 { font-size: var(--rb-text-16); font-weight: var(--rb-weight-strong); margin: 0 0 var(--rb-space-4); }
p { margin: 0 0 var(--rb-space-12); }
a { color: var(--rb-accent-words); text-underline-offset: 3px; }
small { font-size: var(--rb-text-14); }
.muted, .hint, .optional { color: var(--rb-dim); }
code, pre, .code { font-family: var(--rb-mono); font-size: var(--rb-text-14); }
code { background: var(--rb-sunken); border-radius: var(--rb-radius-6); padding: var(--rb-space-2) var(--rb-space-4); overflow-wrap: anywhere; }
pre {
  margin: 0;
  padding: var(--rb-space-12) var(--rb-space-16);
  overflow-x: auto;
  background: var(--rb-sunken);
  border: 1px solid var(--rb-line);
  border-radius: var(--rb-radius-8);
  tab-size: 2;
}
pre code { background: none; padding: 0; }
:focus-visible { outline: 2px solid var(--rb-accent); outline-offset: 2px; }
.icon { width: 1.25em; height: 1.25em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.skip { position: absolute; left: -999px; top: 8px; padding: var(--rb-space-8) var(--rb-space-12); background: var(--rb-surface); border-radius: var(--rb-radius-6); z-index: 5; }
.skip:focus { left: 12px; }

.top { background: var(--rb-surface); border-bottom: 1px solid var(--rb-line); position: sticky; top: 0; z-index: 3; }
.bar { width: min(1120px, 100% - 40px); margin: 0 auto; display: flex; align-items: center; gap: var(--rb-space-12); }
.top .bar { min-height: 64px; flex-wrap: wrap; row-gap: 0; }
.brand { display: inline-flex; align-items: center; gap: var(--rb-space-8); color: var(--rb-text); text-decoration: none; font-weight: var(--rb-weight-strong); font-size: var(--rb-text-16); }
.brand .icon { width: 2.125rem; height: 2.125rem; padding: var(--rb-space-4); border-radius: var(--rb-radius-8); background: var(--rb-accent-fill); color: var(--rb-on-accent); }
.brand small { color: var(--rb-dim); font-weight: var(--rb-weight-medium); }
.top nav { display: flex; flex-wrap: wrap; gap: var(--rb-space-2); margin-inline: var(--rb-space-12) auto; }
.top nav a { display: inline-flex; gap: var(--rb-space-8); align-items: center; padding: var(--rb-space-8) var(--rb-space-12); border-radius: var(--rb-radius-6); color: var(--rb-dim); text-decoration: none; font-weight: var(--rb-weight-medium); font-size: var(--rb-text-16); }
.top nav a:hover { background: var(--rb-sunken); color: var(--rb-text); }
.top nav a[aria-current] { background: var(--rb-accent-soft); color: var(--rb-accent-words); }
.who { display: flex; gap: var(--rb-space-8); align-items: center; }
.who form { display: contents; }
.who .account { display: inline-flex; gap: var(--rb-space-8); align-items: center; color: var(--rb-text); text-decoration: none; font-weight: var(--rb-weight-strong); font-size: var(--rb-text-16); padding: var(--rb-space-8) var(--rb-space-8); border-radius: var(--rb-radius-6); max-width: 14rem; }
.who .account span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.who .account:hover { background: var(--rb-sunken); }
.bottom { border-top: 1px solid var(--rb-line); background: var(--rb-surface); color: var(--rb-dim); font-size: var(--rb-text-14); }
.bottom .bar { min-height: 72px; flex-wrap: wrap; justify-content: space-between; padding: var(--rb-space-12) 0; }
.bottom .credits { order: 1; flex: 1 0 100%; display: flex; flex-wrap: wrap; gap: var(--rb-space-2) var(--rb-space-16); font-size: var(--rb-text-14); }
.bottom nav { display: flex; flex-wrap: wrap; gap: var(--rb-space-4) var(--rb-space-16); }
.bottom a, .crumbs a { color: var(--rb-dim); text-decoration: none; }
.bottom a:hover, .crumbs a:hover { color: var(--rb-text); text-decoration: underline; }
@media (max-width: 860px) {
  .top { position: static; }
  .top .bar { padding: var(--rb-space-8) 0; }
  .top nav { order: 3; width: 100%; flex-wrap: nowrap; margin: var(--rb-space-8) 0 0; overflow-x: auto; }
  .who { margin-left: auto; }
  .brand small { display: none; }
  main { margin-top: var(--rb-space-24); }
}
@media (max-width: 480px) {
  .top nav .icon { display: none; }
  .top nav a { padding: var(--rb-space-8) var(--rb-space-8); font-size: var(--rb-text-14); }
  .who .button { padding: var(--rb-space-8) var(--rb-space-12); font-size: var(--rb-text-14); }
}

.card { background: var(--rb-surface); border: 1px solid var(--rb-line); border-radius: var(--rb-radius-8); padding: var(--rb-space-24); }
.card + .card, .stack > * + * { margin-top: var(--rb-space-16); }
.card > :last-child { margin-bottom: 0; }
.center { text-align: center; }
.columns { display: grid; gap: var(--rb-space-16); grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
.split { display: grid; gap: var(--rb-space-24); grid-template-columns: minmax(0, 2fr) minmax(min-content, 1fr); align-items: start; }
:is(.columns, .split) > *, :is(.columns, .split) > .card + .card { margin: 0; }
@media (max-width: 820px) { .split { grid-template-columns: minmax(0, 1fr); } }
.page-head { display: flex; flex-wrap: wrap; gap: var(--rb-space-12) var(--rb-space-16); align-items: end; justify-content: space-between; margin-bottom: var(--rb-space-24); }
.page-head p { margin: 0; color: var(--rb-dim); }
.page-head h1 { margin-bottom: var(--rb-space-4); overflow-wrap: anywhere; }
.crumbs { display: flex; gap: var(--rb-space-8); font-size: var(--rb-text-14); color: var(--rb-dim); margin-bottom: var(--rb-space-8); }

button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--rb-space-8);
  min-height: var(--rb-control); padding: var(--rb-space-8) var(--rb-space-16); border-radius: var(--rb-radius-6); border: 1px solid var(--rb-line-strong);
  background: var(--rb-surface); color: var(--rb-text);
  font-family: var(--rb-sans); font-size: var(--rb-text-14); font-weight: var(--rb-weight-strong); text-decoration: none; cursor: pointer; white-space: nowrap;
}
button:hover, .button:hover { background: var(--rb-sunken); color: var(--rb-text); }
.primary, .button.primary { background: var(--rb-accent-fill); border-color: var(--rb-accent-fill); color: var(--rb-on-accent); }
.primary:hover, .button.primary:hover { background: var(--rb-accent-fill-hover); border-color: transparent; color: var(--rb-on-accent); }
.quiet, .button.quiet { background: transparent; border-color: transparent; color: var(--rb-dim); }
.quiet:hover { color: var(--rb-text); }
.danger { color: var(--rb-bad-words); border-color: currentColor; }
.danger:hover { background: var(--rb-bad-soft); color: var(--rb-bad-words); }
.wide { width: 100%; }
button.link { background: none; border: 0; padding: 0; color: var(--rb-accent-words); font-weight: var(--rb-weight-medium); text-decoration: underline; text-underline-offset: 3px; }
.actions { display: flex; flex-wrap: wrap; gap: var(--rb-space-8); align-items: center; margin-top: var(--rb-space-16); }

td .actions { margin-top: 0; }
.attempt h3 { margin-top: var(--rb-space-16); }
summary { cursor: pointer; }
.actions:has(+ .table) { margin-bottom: var(--rb-space-16); }
figure { margin: var(--rb-space-16) 0; }
.bars { display: block; width: 100%; height: 5rem; }
.bars rect { fill: var(--rb-accent-fill); }
.bars line { stroke: var(--rb-line-strong); }

.filters { display: grid; gap: 0 var(--rb-space-12); grid-template-columns: repeat(auto-fit, minmax(min(100%, 12.5rem), 1fr)); align-items: end; }
.card form + form { margin-top: var(--rb-space-24); }
.field { margin: 0 0 var(--rb-space-16); padding: 0; border: 0; min-width: 0; }
.field > label:not(.choice), legend { display: block; font-weight: var(--rb-weight-strong); font-size: var(--rb-text-16); margin-bottom: var(--rb-space-4); padding: 0; }
.optional { font-weight: var(--rb-weight-regular); }
input:not([type='radio'], [type='checkbox']), textarea, select {
  width: 100%; padding: var(--rb-space-8) var(--rb-space-12); border-radius: var(--rb-radius-6); border: 1px solid var(--rb-edge);
  background: var(--rb-surface); color: var(--rb-text); font-family: var(--rb-sans); font-size: var(--rb-text-16);
}
textarea { display: block; resize: vertical; min-height: 5.5em; }
textarea.code { font-family: var(--rb-mono); font-size: var(--rb-text-14); white-space: pre; overflow-x: auto; }
input:focus-visible, textarea:focus-visible, select:focus-visible { outline-offset: -1px; border-color: var(--rb-accent); }
.broken input, .broken textarea, .broken select { border-color: var(--rb-bad-words); }
.hint { font-size: var(--rb-text-14); margin: var(--rb-space-4) 0 0; }
.problem { font-size: var(--rb-text-14); margin: var(--rb-space-4) 0 0; color: var(--rb-bad-words); font-weight: var(--rb-weight-medium); }
.choice { display: flex; gap: var(--rb-space-12); align-items: flex-start; padding: var(--rb-space-12) var(--rb-space-12); border: 1px solid var(--rb-line); border-radius: var(--rb-radius-8); cursor: pointer; margin-bottom: var(--rb-space-8); font-weight: var(--rb-weight-regular); font-size: var(--rb-text-16); }
.choice:hover { background: var(--rb-sunken); }
.choice:has(:checked) { border-color: var(--rb-accent); background: var(--rb-accent-soft); }
.choice input { margin: var(--rb-space-4) 0 0; width: 1.1em; height: 1.1em; accent-color: var(--rb-accent-fill); flex: none; }
.choice strong { display: block; }
.choice small { display: block; color: var(--rb-dim); overflow-wrap: anywhere; }
form:has([name='kind'][value='confidential']:checked) .field:has([name='require_pkce']) { display: none; }

.feedback { display: flex; gap: var(--rb-space-12); align-items: center; padding: var(--rb-space-12) var(--rb-space-16); border-radius: var(--rb-radius-8); margin-bottom: var(--rb-space-16); font-weight: var(--rb-weight-medium); border: 1px solid currentColor; }
.note { display: flex; gap: var(--rb-space-12); padding: var(--rb-space-12) var(--rb-space-16); border-radius: var(--rb-radius-8); margin-bottom: var(--rb-space-16); }
.feedback p, .note p, td p, .bottom p, .switch p { margin: 0; }

.table { position: relative; background: var(--rb-surface); overflow-x: auto; border: 1px solid var(--rb-line); border-radius: var(--rb-radius-8); }
form + .muted { margin-top: var(--rb-space-16); }
table { width: 100%; border-collapse: collapse; font-size: var(--rb-text-16); }
th, td { padding: var(--rb-space-8) var(--rb-space-12); text-align: left; border-top: 1px solid var(--rb-line); vertical-align: top; }
thead th { border-top: 0; background: var(--rb-sunken); color: var(--rb-dim); font-weight: var(--rb-weight-strong); font-size: var(--rb-text-14); white-space: nowrap; }
@media (max-width: 480px) {
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table :is(table, tbody) { display: block; }
  .table tr { display: block; padding: var(--rb-space-8) 0; border-top: 1px solid var(--rb-line); }
  .table tbody tr:first-child { border-top: 0; }
  .table td { display: block; padding: var(--rb-space-4) var(--rb-space-12); border-top: 0; text-align: left; overflow-wrap: anywhere; }
  .table td::before { content: attr(data-title); display: block; color: var(--rb-dim); font-size: var(--rb-text-14); }
  .table td:empty { display: none; }
}
.empty { text-align: center; padding: var(--rb-space-32) var(--rb-space-16); color: var(--rb-dim); }
.empty .icon { width: 40px; height: 40px; color: var(--rb-accent-words); }
.empty .actions { justify-content: center; }
.empty h2 { color: var(--rb-text); margin: var(--rb-space-8) 0 var(--rb-space-4); }

.chip { display: inline-block; padding: var(--rb-space-2) var(--rb-space-8); border-radius: var(--rb-radius-round); background: var(--rb-sunken); color: var(--rb-dim); font-size: var(--rb-text-14); font-weight: var(--rb-weight-strong); white-space: nowrap; }
.chip.good, .feedback.success, .method.post { background: var(--rb-good-soft); color: var(--rb-good-words); }
.chip.bad, .feedback.warning, .method.delete { background: var(--rb-bad-soft); color: var(--rb-bad-words); }
.chip.wait, .note, .method.put, .method.patch { background: var(--rb-warn-soft); color: var(--rb-warn-words); }
.chip.accent { background: var(--rb-accent-soft); color: var(--rb-accent-words); }

dl.facts { display: grid; grid-template-columns: minmax(8rem, auto) minmax(0, 1fr); gap: var(--rb-space-8) var(--rb-space-16); margin: 0; }
dl.facts dt { color: var(--rb-dim); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.split .stack dl.facts { grid-template-columns: minmax(0, 1fr); gap: var(--rb-space-2); }
.split .stack dl.facts dd { margin-bottom: var(--rb-space-8); }
@media (max-width: 480px) { dl.facts { grid-template-columns: minmax(0, 1fr); gap: var(--rb-space-2); } dl.facts dd { margin-bottom: var(--rb-space-8); } }
.code-block { position: relative; margin-bottom: var(--rb-space-16); }
.code-block > * { margin: 0; }
.copy { position: absolute; top: var(--rb-space-4); right: var(--rb-space-4); min-height: 32px; padding: 0 var(--rb-space-8); }
.code-block pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.code-block :is(pre, .secret)::before { content: ''; float: right; width: 4.5rem; height: 1lh; }
legend + .hint { margin-bottom: var(--rb-space-8); }
.c { color: var(--rb-dim); }
.k { color: var(--rb-json-key); }
.s { color: var(--rb-json-string); }
.languages { display: flex; flex-wrap: wrap; gap: var(--rb-space-4); margin-bottom: var(--rb-space-16); }
.languages label { padding: var(--rb-space-4) var(--rb-space-12); border-radius: var(--rb-radius-6); cursor: pointer; color: var(--rb-dim); }
.languages label:has(:checked) { background: var(--rb-accent-soft); color: var(--rb-accent-words); }
.languages label:has(:focus-visible) { outline: 2px solid var(--rb-accent); }
.languages input { position: absolute; opacity: 0; }
.languages .code-block { order: 1; flex: 1 0 100%; min-width: 0; margin: 0; display: none; }
.languages label:has(:checked) + .code-block { display: block; }
.secret { display: block; padding: var(--rb-space-12) var(--rb-space-16); border: 1px dashed var(--rb-accent); border-radius: var(--rb-radius-8); background: var(--rb-accent-soft); font-family: var(--rb-mono); font-size: var(--rb-text-16); font-weight: var(--rb-weight-strong); overflow-wrap: anywhere; user-select: all; }
meter { width: 100%; height: 12px; }
meter::-webkit-meter-bar { background: var(--rb-sunken); border: 0; border-radius: var(--rb-radius-6); height: 10px; }
meter::-webkit-meter-optimum-value { background: var(--rb-accent-fill); border-radius: var(--rb-radius-6); }
meter::-webkit-meter-suboptimum-value { background: var(--rb-warn-words); border-radius: var(--rb-radius-6); }

.dialog { padding: var(--rb-space-32) var(--rb-space-24); box-shadow: var(--rb-shadow); border-radius: var(--rb-radius-8); }
.dialog h1 { font-size: var(--rb-text-20); text-align: center; overflow-wrap: anywhere; }
.dialog h1 + p { text-align: center; margin-bottom: var(--rb-space-24); overflow-wrap: anywhere; }
.dialog h2 { font-size: var(--rb-text-16); color: var(--rb-dim); font-weight: var(--rb-weight-strong); margin-bottom: var(--rb-space-8); }
.dialog form + form { margin-top: var(--rb-space-8); }
.permissions { display: flex; gap: var(--rb-space-12); padding: var(--rb-space-12); border: 1px solid var(--rb-line); border-radius: var(--rb-radius-8); }
.permissions .icon { width: 24px; height: 24px; color: var(--rb-accent-words); margin-top: var(--rb-space-2); }
.permissions small { display: block; color: var(--rb-dim); margin-top: var(--rb-space-4); }
.permissions code { white-space: nowrap; }
.decision { display: grid; grid-template-columns: 1fr 1fr; gap: var(--rb-space-8); margin-top: var(--rb-space-16); }

.returning { display: flex; gap: var(--rb-space-8); align-items: center; justify-content: center; margin: var(--rb-space-16) 0 0; font-size: var(--rb-text-14); color: var(--rb-dim); overflow-wrap: anywhere; }
.returning strong { color: var(--rb-text); }
.switch { display: flex; flex-wrap: wrap; gap: var(--rb-space-4) var(--rb-space-8); align-items: baseline; justify-content: center; margin-top: var(--rb-space-16); padding-top: var(--rb-space-16); border-top: 1px solid var(--rb-line); font-size: var(--rb-text-14); color: var(--rb-dim); }
.switch button { font-size: var(--rb-text-14); }

.hero { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: var(--rb-space-32); align-items: center; padding: var(--rb-space-32) 0; }
.hero h1 { font-size: var(--rb-text-44); letter-spacing: -0.02em; margin-bottom: var(--rb-space-16); }
.hero p { font-size: var(--rb-text-20); color: var(--rb-dim); max-width: 34rem; }
.hero pre { padding: var(--rb-space-16); font-size: var(--rb-text-14); }
@media (max-width: 900px) { .hero { grid-template-columns: minmax(0, 1fr); gap: var(--rb-space-24); } }
.gauge { display: grid; gap: var(--rb-space-4); }
.section-title { margin: var(--rb-space-32) 0 var(--rb-space-16); font-size: var(--rb-text-20); }

.plan { display: flex; flex-direction: column; position: relative; }
.plan .price { font-size: var(--rb-text-44); font-weight: var(--rb-weight-strong); letter-spacing: -0.02em; margin: var(--rb-space-4) 0 var(--rb-space-8); }
.plan ul { list-style: none; padding: 0; margin: var(--rb-space-12) 0 var(--rb-space-24); display: grid; gap: var(--rb-space-8); }
.plan li { display: flex; gap: var(--rb-space-8); align-items: center; }
.plan li .icon { color: var(--rb-good-words); }
.plan .button, .plan form { margin-top: auto; }
.plan .chip { position: absolute; top: 22px; right: 22px; }

.tabs { display: flex; gap: var(--rb-space-4); margin: 0 0 var(--rb-space-24); border-bottom: 1px solid var(--rb-line); overflow-x: auto; }
.tabs a { padding: var(--rb-space-8) var(--rb-space-12); color: var(--rb-dim); text-decoration: none; font-weight: var(--rb-weight-medium); border-bottom: 2px solid transparent; white-space: nowrap; }
.tabs a:hover { color: var(--rb-text); }
.tabs a[aria-current] { color: var(--rb-accent-words); border-color: var(--rb-accent); }

@media (max-width: 480px) { .tabs { flex-wrap: wrap; } .tabs a { padding: var(--rb-space-8) var(--rb-space-8); font-size: var(--rb-text-16); } }

.docs { display: grid; grid-template-columns: 220px minmax(0, 1fr); gap: var(--rb-space-32); align-items: start; }
.docs > nav { position: sticky; top: 88px; font-size: var(--rb-text-16); max-height: calc(100vh - 110px); overflow-y: auto; }
.docs > nav ul { list-style: none; padding: 0; margin: 0 0 var(--rb-space-16); }
.docs > nav a { display: block; padding: var(--rb-space-4) var(--rb-space-8); border-radius: var(--rb-radius-6); color: var(--rb-dim); text-decoration: none; }
.docs > nav a:hover, .docs > nav a[aria-current] { background: var(--rb-accent-soft); color: var(--rb-accent-words); }
@media (max-width: 900px) { .docs { grid-template-columns: minmax(0, 1fr); } .docs > nav { position: static; max-height: none; columns: 2 150px; border-bottom: 1px solid var(--rb-line); padding-bottom: var(--rb-space-8); } .docs > nav ul { break-inside: avoid; } }
.operation { scroll-margin-top: var(--rb-space-32); }
.operation h2 { display: flex; flex-wrap: wrap; gap: var(--rb-space-8); align-items: center; }
.operation h3 { margin: var(--rb-space-16) 0 var(--rb-space-8); font-size: var(--rb-text-16); }
.operation summary { cursor: pointer; font-weight: var(--rb-weight-strong); padding: var(--rb-space-8) 0; }
.operation details { border-top: 1px solid var(--rb-line); margin-top: var(--rb-space-16); padding-top: var(--rb-space-8); }
.method { font-family: var(--rb-mono); font-size: var(--rb-text-12); font-weight: var(--rb-weight-strong); padding: var(--rb-space-4) var(--rb-space-8); border-radius: var(--rb-radius-6); background: var(--rb-accent-soft); color: var(--rb-accent-words); }
.prose > :is(p, ol) { max-width: 46rem; }
.docs ul ul { margin: 0 0 var(--rb-space-8) var(--rb-space-12); }
.operations { margin-top: var(--rb-space-32); }
.operation .example { margin-top: var(--rb-space-16); }
.prose ol, .prose ul { padding-left: var(--rb-space-24); }
.prose li + li { margin-top: var(--rb-space-4); }
.prose h2 { margin-top: var(--rb-space-24); }
.answer { margin-top: var(--rb-space-16); }
.answer pre { max-height: 420px; overflow: auto; }
`;
