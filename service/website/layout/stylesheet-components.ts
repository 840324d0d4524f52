// Styles of what occurs on many pages: cards, buttons, fields, feedback, tables, chips.

export const componentStyles = `
.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: clamp(18px, 3vw, 28px); box-shadow: var(--shadow); }
.card + .card, .stack > * + * { margin-top: 20px; }
.card > :last-child { margin-bottom: 0; }
.center { text-align: center; }
.columns { display: grid; gap: 20px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
.columns > *, .columns > .card + .card { margin: 0; }
.split { display: grid; gap: 24px; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); align-items: start; }
.split > *, .split > .card + .card { margin: 0; }
@media (max-width: 820px) { .split { grid-template-columns: minmax(0, 1fr); } }
.page-head { display: flex; flex-wrap: wrap; gap: 12px 20px; align-items: end; justify-content: space-between; margin-bottom: 22px; }
.page-head p { margin: 0; color: var(--muted); }
.page-head h1 { margin-bottom: 4px; overflow-wrap: anywhere; }
.crumbs { display: flex; gap: 8px; font-size: 0.9rem; color: var(--muted); margin-bottom: 10px; }
.crumbs a { color: var(--muted); text-decoration: none; }
.crumbs a:hover { color: var(--text); text-decoration: underline; }

button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: 8px;
  padding: 9px 16px; border-radius: 10px; border: 1px solid var(--line);
  background: var(--surface); color: var(--text);
  font: 600 0.95rem/1.4 var(--sans); text-decoration: none; cursor: pointer; white-space: nowrap;
}
button:hover, .button:hover { background: var(--raised); color: var(--text); }
.primary, .button.primary { background: var(--accent-fill); border-color: var(--accent-fill); color: #fff; }
.primary:hover, .button.primary:hover { background: light-dark(#3049b8, #5c7cfa); border-color: transparent; color: #fff; }
.quiet, .button.quiet { background: transparent; border-color: transparent; color: var(--muted); }
.quiet:hover { color: var(--text); }
.danger { color: var(--bad); border-color: light-dark(#eab9b5, #6b2f2c); }
.danger:hover { background: var(--bad-soft); color: var(--bad); }
.wide { width: 100%; }
button.link { background: none; border: 0; padding: 0; color: var(--accent); font-weight: 500; text-decoration: underline; text-underline-offset: 3px; }
.actions { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin-top: 20px; }

.field { margin: 0 0 18px; padding: 0; border: 0; min-width: 0; }
.field > label:not(.choice), legend { display: block; font-weight: 600; font-size: 0.94rem; margin-bottom: 6px; padding: 0; }
.optional { font-weight: 400; }
input:not([type='radio'], [type='checkbox']), textarea, select {
  width: 100%; padding: 10px 12px; border-radius: 10px; border: 1px solid light-dark(#c3c9d6, #454957);
  background: light-dark(#fff, #15161b); color: var(--text); font: 1rem/1.5 var(--sans);
}
textarea { display: block; resize: vertical; min-height: 5.5em; }
textarea.code { font: 0.9rem/1.6 var(--mono); white-space: pre; overflow-x: auto; }
input:focus, textarea:focus, select:focus { outline: 3px solid light-dark(#b9c6ff, #3c4a90); outline-offset: 0; border-color: var(--accent); }
.broken input, .broken textarea, .broken select { border-color: var(--bad); }
.hint { font-size: 0.88rem; margin: 6px 0 0; }
.problem { font-size: 0.9rem; margin: 6px 0 0; color: var(--bad); font-weight: 500; }
.choice { display: flex; gap: 12px; align-items: flex-start; padding: 12px 14px; border: 1px solid var(--line); border-radius: 10px; cursor: pointer; margin-bottom: 8px; font-weight: 400; font-size: 1rem; }
.choice:hover { background: var(--raised); }
.choice:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
.choice input { margin: 4px 0 0; width: 1.1em; height: 1.1em; accent-color: var(--accent-fill); flex: none; }
.choice strong { display: block; }
.choice small { display: block; color: var(--muted); }
form:has(input[name='kind'][value='confidential']:checked) .pkce-choice { display: none; }

.feedback { display: flex; gap: 12px; align-items: center; padding: 13px 16px; border-radius: 10px; margin-bottom: 20px; font-weight: 500; border: 1px solid transparent; }
.feedback p { margin: 0; }
.feedback.warning { background: var(--bad-soft); color: var(--bad); border-color: light-dark(#f1c6c3, #5d2b29); }
.feedback.success { background: var(--good-soft); color: var(--good); border-color: light-dark(#bfe6ca, #275236); }
.note { display: flex; gap: 12px; padding: 13px 16px; border-radius: 10px; background: var(--wait-soft); color: var(--wait); margin-bottom: 16px; }
.note p { margin: 0; }

.table { position: relative; background: var(--surface); overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: collapse; font-size: 0.93rem; }
caption { text-align: left; }
th, td { padding: 10px 14px; text-align: left; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; background: var(--raised); color: var(--muted); font-weight: 600; font-size: 0.85rem; white-space: nowrap; }
td:last-child:has(form) { text-align: right; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.empty { text-align: center; padding: 40px 20px; color: var(--muted); }
.empty .icon { width: 40px; height: 40px; color: var(--accent); }
.empty .actions { justify-content: center; }
.empty h1, .empty h2 { color: var(--text); margin: 10px 0 6px; }

.chip { display: inline-block; padding: 2px 10px; border-radius: 999px; background: var(--raised); color: var(--muted); font-size: 0.82rem; font-weight: 600; white-space: nowrap; }
.chip.good { background: var(--good-soft); color: var(--good); }
.chip.bad { background: var(--bad-soft); color: var(--bad); }
.chip.wait { background: var(--wait-soft); color: var(--wait); }
.chip.accent { background: var(--accent-soft); color: var(--accent-strong); }

dl.facts { display: grid; grid-template-columns: minmax(8rem, auto) minmax(0, 1fr); gap: 10px 20px; margin: 0; }
dl.facts dt { color: var(--muted); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.split .stack dl.facts { grid-template-columns: minmax(0, 1fr); gap: 2px; }
.split .stack dl.facts dd { margin-bottom: 10px; }
@media (max-width: 480px) { dl.facts { grid-template-columns: minmax(0, 1fr); gap: 2px; } dl.facts dd { margin-bottom: 10px; } }
.secret { display: block; padding: 14px 16px; border: 1px dashed var(--accent); border-radius: 10px; background: var(--accent-soft); font: 600 1rem/1.5 var(--mono); overflow-wrap: anywhere; user-select: all; }
meter { width: 100%; height: 12px; }
meter::-webkit-meter-bar { background: var(--raised); border: 0; border-radius: 6px; height: 10px; }
meter::-webkit-meter-optimum-value { background: var(--accent-fill); border-radius: 6px; }
meter::-webkit-meter-suboptimum-value { background: var(--wait); border-radius: 6px; }
`;
