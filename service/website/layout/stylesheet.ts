// The website's only stylesheet, light and dark, from phone to desktop, built from the app's design tokens. A string in a module,
// because the bundled service has no files next to its source.
import { designTokens } from '@rainbell/shared';
import { componentStyles } from './stylesheet-components.ts';
import { pageStyles } from './stylesheet-pages.ts';

const baseStyles = `${designTokens}@font-face {
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
`;

export const stylesheet = `${baseStyles}${componentStyles}${pageStyles}`;
