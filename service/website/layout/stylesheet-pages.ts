// Styles of single pages: the authorization dialog, the start page, plans, applications, documentation.

export const pageStyles = `
.dialog { padding: clamp(22px, 6vw, 36px); box-shadow: var(--shadow-high); border-radius: 18px; }
.dialog h1 { font-size: 1.45rem; text-align: center; overflow-wrap: anywhere; }
.dialog h1 + p { text-align: center; margin-bottom: 22px; overflow-wrap: anywhere; }
.dialog h2 { font-size: 0.95rem; color: var(--muted); font-weight: 600; margin-bottom: 10px; }
.dialog form + form { margin-top: 10px; }
.pair { display: flex; align-items: center; justify-content: center; gap: 14px; margin-bottom: 18px; color: var(--muted); }
.pair .initial, .pair .sign { width: 52px; height: 52px; border-radius: 15px; display: grid; place-items: center; font-weight: 700; font-size: 1.4rem; }
.pair .initial { background: var(--raised); color: var(--text); border: 1px solid var(--line); }
.pair .sign { background: var(--accent-fill); color: #fff; }
.pair .sign .icon { width: 30px; height: 30px; }
.permissions { list-style: none; margin: 0 0 16px; padding: 0; }
.permissions li { display: flex; gap: 14px; padding: 14px; border: 1px solid var(--line); border-radius: 12px; }
.permissions li + li { margin-top: 8px; }
.permissions .icon { width: 24px; height: 24px; color: var(--accent); margin-top: 2px; }
.permissions small { display: block; color: var(--muted); margin-top: 4px; }
.permissions code { white-space: nowrap; }
.decision { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; margin-top: 18px; }

.returning { display: flex; gap: 10px; align-items: center; justify-content: center; margin: 20px 0 0; font-size: 0.9rem; color: var(--muted); overflow-wrap: anywhere; }
.returning strong { color: var(--text); }
.switch { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; justify-content: center; margin-top: 16px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 0.9rem; color: var(--muted); }
.switch p { margin: 0; }
.switch button { font-size: 0.9rem; }

.hero { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: 48px; align-items: center; padding: clamp(20px, 5vw, 56px) 0 40px; }
.hero h1 { font-size: clamp(2.1rem, 1.4rem + 3vw, 3.3rem); letter-spacing: -0.035em; line-height: 1.08; margin-bottom: 18px; }
.hero p { font-size: 1.12rem; color: var(--muted); max-width: 34rem; }
.hero pre { box-shadow: var(--shadow-high); border-radius: 14px; padding: 20px; background: light-dark(#1b1e2b, #15161d); color: #dfe4f5; border-color: light-dark(#1b1e2b, #31343f); font-size: 0.84rem; }
.hero pre .c { color: #8c96b5; }
.hero pre .k { color: #9db2ff; }
.hero pre .s { color: #8fdcb0; }
@media (max-width: 900px) { .hero { grid-template-columns: minmax(0, 1fr); gap: 28px; } }
.feature .icon { width: 42px; height: 42px; padding: 10px; border-radius: 12px; background: var(--accent-soft); color: var(--accent-strong); margin-bottom: 14px; }
.feature p { color: var(--muted); margin: 0; }
.steps { list-style: none; padding: 0; margin: 0; counter-reset: step; }
.steps li { counter-increment: step; }
.steps li::before { content: counter(step); display: grid; place-items: center; width: 30px; height: 30px; border-radius: 9px; background: var(--accent-soft); color: var(--accent-strong); font-weight: 700; margin-bottom: 12px; }
.gauge { display: grid; gap: 6px; }
.section-title { margin: 48px 0 18px; font-size: 1.4rem; }

.plan { display: flex; flex-direction: column; position: relative; }
.plan .price { font-size: 1.7rem; font-weight: 700; letter-spacing: -0.02em; margin: 4px 0 8px; }
.plan ul { list-style: none; padding: 0; margin: 14px 0 22px; display: grid; gap: 8px; }
.plan li { display: flex; gap: 10px; align-items: center; }
.plan li .icon { color: var(--good); }
.plan .button, .plan form { margin-top: auto; }
.plan.featured { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent), var(--shadow); }
.plan .chip { position: absolute; top: 22px; right: 22px; }

.apps { display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); padding: 0; margin: 0; list-style: none; }
.app { display: flex; flex-direction: column; gap: 10px; height: 100%; text-decoration: none; color: var(--text); margin: 0; }
.app:hover { border-color: var(--accent); color: var(--text); }
.app .top-line { display: flex; gap: 14px; align-items: center; }
.app .initial { width: 42px; height: 42px; border-radius: 12px; display: grid; place-items: center; background: var(--accent-soft); color: var(--accent-strong); font-weight: 700; font-size: 1.15rem; flex: none; }
.app h2 { margin: 0; overflow-wrap: anywhere; }
.app p { color: var(--muted); margin: 0; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.app .chips { margin-top: auto; display: flex; flex-wrap: wrap; gap: 6px; }
.tabs { display: flex; gap: 4px; margin: 0 0 22px; border-bottom: 1px solid var(--line); overflow-x: auto; }
.tabs a { padding: 10px 14px; color: var(--muted); text-decoration: none; font-weight: 500; border-bottom: 2px solid transparent; margin-bottom: -1px; white-space: nowrap; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { color: var(--accent-strong); border-color: var(--accent); }

@media (max-width: 480px) { .tabs a { padding: 10px 8px; font-size: 0.92rem; } }

.docs { display: grid; grid-template-columns: 220px minmax(0, 1fr); gap: 36px; align-items: start; }
.docs > nav { position: sticky; top: 88px; font-size: 0.93rem; max-height: calc(100vh - 110px); overflow-y: auto; }
.docs > nav ul { list-style: none; padding: 0; margin: 0 0 18px; }
.docs > nav h2 { font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--muted); margin-bottom: 6px; }
.docs > nav a { display: block; padding: 5px 10px; border-radius: 8px; color: var(--muted); text-decoration: none; }
.docs > nav a:hover, .docs > nav a[aria-current] { background: var(--accent-soft); color: var(--accent-strong); }
@media (max-width: 900px) { .docs { grid-template-columns: minmax(0, 1fr); } .docs > nav { position: static; max-height: none; columns: 2 150px; border-bottom: 1px solid var(--line); padding-bottom: 8px; } .docs > nav ul { break-inside: avoid; } .docs > nav h2 { break-after: avoid; } }
.operation { scroll-margin-top: 84px; }
.operation h2 { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; }
.operation h3 { margin: 20px 0 8px; font-size: 0.95rem; }
.operation summary { cursor: pointer; font-weight: 600; padding: 8px 0; }
.operation details { border-top: 1px solid var(--line); margin-top: 18px; padding-top: 8px; }
.method { font: 700 0.78rem/1 var(--mono); padding: 6px 9px; border-radius: 7px; background: var(--accent-soft); color: var(--accent-strong); }
.method.post { background: var(--good-soft); color: var(--good); }
.method.put, .method.patch { background: var(--wait-soft); color: var(--wait); }
.method.delete { background: var(--bad-soft); color: var(--bad); }
.prose { max-width: 46rem; }
.prose ol, .prose ul { padding-left: 1.3em; }
.prose li + li { margin-top: 6px; }
.prose h2 { margin-top: 28px; }
.prose pre { margin-bottom: 16px; }
.answer { margin-top: 18px; }
.answer pre { max-height: 420px; overflow: auto; }
`;
