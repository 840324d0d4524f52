// The website's one stylesheet, light and dark, from phone to desktop: the app's colours and typeface. A text in a module,
// because the service also runs out of a bundle, where files beside the source are gone.
import { componentStyles } from './stylesheet-components.ts';
import { pageStyles } from './stylesheet-pages.ts';

const baseStyles = `
@font-face {
  font-family: 'Inter Variable';
  src: url('/assets/inter.woff2') format('woff2');
  font-weight: 100 900;
  font-display: swap;
}
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7fb, #121317);
  --surface: light-dark(#ffffff, #1b1c22);
  --raised: light-dark(#f1f3f9, #24262e);
  --line: light-dark(#dfe3ec, #31343f);
  --text: light-dark(#16181d, #eceef3);
  --muted: light-dark(#596072, #a4abbb);
  --accent: light-dark(#3b5bdb, #8da2fb);
  --accent-strong: light-dark(#3651c9, #a9b8ff);
  --accent-fill: light-dark(#3b5bdb, #4263eb);
  --accent-soft: light-dark(#e7ecff, #262c4a);
  --good: light-dark(#1b6e35, #7ddc97);
  --good-soft: light-dark(#e3f7e8, #16301f);
  --bad: light-dark(#b3261e, #ff9b94);
  --bad-soft: light-dark(#fdebea, #3a1d1c);
  --wait: light-dark(#8a5300, #f3c263);
  --wait-soft: light-dark(#fff3d6, #352a12);
  --shadow: light-dark(0 1px 2px rgb(22 24 29 / 6%), 0 1px 2px rgb(0 0 0 / 40%));
  --shadow-high: light-dark(0 12px 40px rgb(32 42 90 / 14%), 0 12px 40px rgb(0 0 0 / 50%));
  --radius: 12px;
  --sans: 'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif;
  --mono: ui-monospace, 'JetBrains Mono', 'SF Mono', Menlo, Consolas, monospace;
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--page);
  color: var(--text);
  font: 16px/1.6 var(--sans);
  -webkit-font-smoothing: antialiased;
}
main { width: min(1120px, 100% - 40px); margin: 32px auto 64px; flex: 1; outline: none; }
.width-narrow main { width: min(560px, 100% - 40px); }
.width-bare main { width: min(460px, 100% - 32px); margin: auto; padding: 24px 0; flex: none; }
.width-bare {
  background:
    radial-gradient(60rem 30rem at 50% -12rem, light-dark(#dfe6ff, #232a52), transparent),
    var(--page);
}
h1 { font-size: clamp(1.55rem, 1.3rem + 1vw, 2rem); line-height: 1.2; letter-spacing: -0.02em; margin: 0 0 8px; }
h2 { font-size: 1.15rem; line-height: 1.3; letter-spacing: -0.01em; margin: 0 0 12px; }
h3 { font-size: 1rem; margin: 0 0 6px; }
p { margin: 0 0 12px; }
a { color: var(--accent); text-underline-offset: 3px; }
a:hover { color: var(--accent-strong); }
small { font-size: 0.85rem; }
.muted, .hint, .optional { color: var(--muted); }
code, pre, .code { font-family: var(--mono); font-size: 0.86em; }
code { background: var(--raised); border-radius: 6px; padding: 2px 6px; overflow-wrap: anywhere; }
pre {
  margin: 0;
  padding: 14px 16px;
  overflow-x: auto;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 10px;
  line-height: 1.55;
  tab-size: 2;
}
pre code { background: none; padding: 0; overflow-wrap: normal; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.icon { width: 1.25em; height: 1.25em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.skip { position: absolute; left: -999px; top: 8px; padding: 8px 14px; background: var(--surface); border-radius: 8px; z-index: 5; }
.skip:focus { left: 12px; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top { background: var(--surface); border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 3; }
.bar { width: min(1120px, 100% - 40px); margin: 0 auto; display: flex; align-items: center; gap: 12px; }
.top .bar { min-height: 64px; flex-wrap: wrap; row-gap: 0; }
.brand { display: inline-flex; align-items: center; gap: 10px; color: var(--text); text-decoration: none; font-weight: 700; font-size: 1.06rem; }
.brand:hover { color: var(--text); }
.brand .icon { width: 34px; height: 34px; padding: 6px; border-radius: 10px; background: var(--accent-fill); color: #fff; }
.brand small { color: var(--muted); font-weight: 500; }
.top nav { display: flex; gap: 2px; margin-inline: 12px auto; }
.top nav a { display: inline-flex; gap: 8px; align-items: center; padding: 8px 12px; border-radius: 9px; color: var(--muted); text-decoration: none; font-weight: 500; font-size: 0.94rem; }
.top nav a:hover { background: var(--raised); color: var(--text); }
.top nav a[aria-current] { background: var(--accent-soft); color: var(--accent-strong); }
.who { display: flex; gap: 8px; align-items: center; }
.who form { display: contents; }
.who .account { display: inline-flex; gap: 8px; align-items: center; color: var(--text); text-decoration: none; font-weight: 600; font-size: 0.94rem; padding: 8px 10px; border-radius: 9px; max-width: 14rem; }
.who .account span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.who .account:hover { background: var(--raised); }
.bottom { border-top: 1px solid var(--line); background: var(--surface); color: var(--muted); font-size: 0.9rem; }
.bottom .bar { min-height: 72px; flex-wrap: wrap; justify-content: space-between; padding: 14px 0; }
.bottom p { margin: 0; }
.bottom .credits { order: 1; flex: 1 0 100%; display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 0.82rem; }
.bottom nav { display: flex; flex-wrap: wrap; gap: 6px 18px; }
.bottom a { color: var(--muted); text-decoration: none; }
.bottom a:hover { color: var(--text); text-decoration: underline; }
@media (max-width: 820px) {
  .top { position: static; }
  .top .bar { padding: 10px 0; }
  .top nav { order: 3; width: 100%; margin: 8px 0 0; overflow-x: auto; }
  .who { margin-left: auto; }
  .brand small { display: none; }
  main { margin-top: 24px; }
}
@media (max-width: 480px) {
  .top nav .icon { display: none; }
  .top nav a { padding: 8px 7px; font-size: 0.88rem; }
  .who .button { padding: 7px 11px; font-size: 0.9rem; }
}
`;

export const stylesheet = `${baseStyles}${componentStyles}${pageStyles}`;
