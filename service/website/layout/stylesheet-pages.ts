// Styles of single pages: authorization, start page, plans, applications, documentation.

export const pageStyles = `
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
