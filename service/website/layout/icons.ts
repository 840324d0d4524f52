// Line icons of the website, in the text color; hidden from screen readers because the text next to them has the same meaning.
// Shapes follow Tabler's icons (MIT).
import { html, type SafeHtml } from '@remix-run/html-template';

const shapes = {
  bell: '<path d="M6.2 17c1.4-1.2 2-2.8 2-4.8v-2a3.8 3.8 0 0 1 7.6 0v2c0 2 .6 3.6 2 4.8z"/><path d="M10 20a2.1 2.1 0 0 0 4 0M12 6.2V4.5M4 8.5 2.8 11M20 8.5l1.2 2.5"/>',
  alert:
    '<path d="M12 9v4M12 16.5v.01"/><path d="M10.3 4 2.6 17.2A2 2 0 0 0 4.3 20h15.4a2 2 0 0 0 1.7-2.9L13.7 4a2 2 0 0 0-3.4 0z"/>',
  check: '<circle cx="12" cy="12" r="9"/><path d="m8.5 12 2.4 2.4 4.6-4.8"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M5 20c.6-3.4 3.4-5 7-5s6.4 1.6 7 5"/>',
  book: '<path d="M4 5.5A9 9 0 0 1 12 6a9 9 0 0 1 8-.5v13a9 9 0 0 0-8 .5 9 9 0 0 0-8-.5zM12 6v13"/>',
  layers: '<path d="m12 4 8.5 4.5L12 13 3.5 8.5zM3.5 12.5 12 17l8.5-4.5M3.5 16.5 12 21l8.5-4.5"/>',
  mail: '<rect x="3" y="5.5" width="18" height="13" rx="2"/><path d="m4 7 8 6 8-6"/>',
  apps: '<rect x="4" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5"/>',
  chart: '<path d="M4 20V10M10 20V4M16 20v-7M21 20H3"/>',
  key: '<circle cx="8" cy="15" r="4"/><path d="m11 12 8.5-8.5M16 7l2.5 2.5"/>',
  hook: '<path d="M12 3v9M12 21a4.5 4.5 0 0 0 4.5-4.5V15M7.5 14v2.5A4.5 4.5 0 0 0 12 21"/><circle cx="12" cy="12" r="1.6"/><path d="m14.5 16.5 2-2 2 2"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  arrow: '<path d="M5 12h14M13 6l6 6-6 6"/>',
  lock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  pin: '<circle cx="12" cy="10.5" r="2.8"/><path d="M12 21c-4.2-4.1-6.8-7-6.8-10.5a6.8 6.8 0 0 1 13.6 0C18.8 14 16.2 16.9 12 21z"/>',
} as const;

export type IconName = keyof typeof shapes;

export function icon(name: IconName): SafeHtml {
  return html.raw`<svg class="icon" width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    ${shapes[name]}
  </svg>`;
}
