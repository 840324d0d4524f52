// The frame of every page: head, navigation, feedback, content, footer.
import { html, type SafeHtml } from '@remix-run/html-template';
import { attributions } from '@rainbell/shared';
import type { Account } from '../../accounts/account-store.ts';
import { type BannerId, bannerOf } from './feedback.ts';
import { showForm } from './fields.ts';
import { icon, type IconName } from './icons.ts';
import { scriptPath, stylesheetPath } from './assets.ts';

export type PageOptions = {
  title: string;
  content: SafeHtml;
  account?: Account | undefined;
  canRegister?: boolean;
  /** Leaves out what is for customers (`commercialLinks`). */
  isHome?: boolean;
  csrf?: string;
  feedback?: BannerId | undefined;
  banner?: SafeHtml | undefined;
  section?: string | undefined;
  /** `narrow`: one form in the middle; `bare`: without navigation, for the authorization pages. */
  width?: 'wide' | 'narrow' | 'bare' | undefined;
  /** Loads the script of assets.ts. Never on a page on which users type a password or grant access. */
  hasScript?: boolean | undefined;
};

type Link = { href: string; text: string; icon: IconName };

const publicLinks: readonly Link[] = [
  { href: '/documentation/', text: 'Documentation', icon: 'book' },
  { href: '/plans/', text: 'Plans', icon: 'layers' },
  { href: '/contact/', text: 'Contact', icon: 'mail' },
];
const ownLinks: readonly Link[] = [
  { href: '/applications/', text: 'Applications', icon: 'apps' },
  { href: '/usage/', text: 'Usage', icon: 'chart' },
  { href: '/documentation/', text: 'Documentation', icon: 'book' },
  { href: '/plans/', text: 'Plans', icon: 'layers' },
];

/** A service at home has no plans to choose, and nobody to write to. */
const commercialLinks: readonly string[] = ['/plans/', '/contact/', '/thanks/', '/launch/'];

export function page(parts: PageOptions): string {
  const { title, width = 'wide' } = parts;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Rainbell</title>
        <link rel="icon" type="image/svg+xml" href="/assets/rainbell.svg" />
        <link rel="stylesheet" href="${stylesheetPath}" />
        ${parts.hasScript === true ? html`<script src="${scriptPath}" defer></script>` : ''}
      </head>
      <body class="width-${width}">
        <a class="skip" href="#main">Skip to content</a>
        ${width === 'bare' ? '' : header(parts)}
        <main id="main" tabindex="-1">${parts.banner ?? ''} ${feedbackBanner(parts.feedback)} ${parts.content}</main>
        ${width === 'bare' ? '' : footer(parts)}
      </body>
    </html> `;
  return String(document);
}

export function pageHead(title: string, text: SafeHtml | string, action?: SafeHtml | false): SafeHtml {
  return html`<div class="page-head">
    <div>
      <h1>${title}</h1>
      <p>${text}</p>
    </div>
    ${action === false ? '' : action}
  </div>`;
}

export function emptyCard(name: IconName, title: string, content: SafeHtml): SafeHtml {
  return html`<section class="card empty">
    ${icon(name)}
    <h2>${title}</h2>
    ${content}
  </section>`;
}

export function feedbackBanner(feedback: BannerId | undefined): SafeHtml {
  if (feedback === undefined) return html``;
  const { kind, text } = bannerOf(feedback);
  return html`<div
    class="feedback ${kind}"
    role="${kind === 'warning' ? 'alert' : 'status'}"
    data-feedback="${feedback}"
  >
    ${icon(kind === 'warning' ? 'alert' : 'check')}
    <p>${text}</p>
  </div>`;
}

function linksFor<One extends { href: string }>({ isHome }: PageOptions, links: readonly One[]): readonly One[] {
  return links.filter(({ href }) => isHome !== true || !commercialLinks.includes(href));
}

function header(parts: PageOptions): SafeHtml {
  const { account, csrf, section, canRegister = false } = parts;
  return html`<header class="top">
    <div class="bar">
      <a class="brand" href="/">${icon('bell')}<span>Rainbell</span><small>Developers</small></a>
      <nav aria-label="Main">
        ${linksFor(parts, account ? ownLinks : publicLinks).map(
          (link) =>
            html`<a href="${link.href}" ${section === link.href ? html`aria-current="page"` : ''}>
              ${icon(link.icon)}<span>${link.text}</span>
            </a>`,
        )}
      </nav>
      <div class="who">${account ? signedIn(account, csrf ?? '') : signedOut(canRegister)}</div>
    </div>
  </header>`;
}

function signedIn(account: Account, csrf: string): SafeHtml {
  return html`<a class="account" href="/account/" title="Your account"
      >${icon('user')}<span>${account.username}</span></a
    >
    ${showForm({ csrf }, { action: '/sign-out/', button: 'Sign out', look: 'quiet' })}`;
}

function signedOut(canRegister: boolean): SafeHtml {
  return html`<a class="button quiet" href="/sign-in/">Sign in</a>
    ${canRegister ? html`<a class="button primary" href="/register/">Create account</a>` : ''}`;
}

const footerLinks = [
  { href: '/documentation/', text: 'Documentation' },
  { href: '/v2/openapi.json', text: 'OpenAPI' },
  { href: '/plans/', text: 'Plans' },
  { href: '/terms/', text: 'Terms' },
  { href: '/privacy/', text: 'Privacy' },
  { href: '/thanks/', text: 'Say thanks' },
  { href: '/launch/', text: 'Launch notice' },
  { href: '/contact/', text: 'Contact' },
];

function footer(parts: PageOptions): SafeHtml {
  return html`<footer class="bottom">
    <div class="bar">
      <p>Rainbell · weather forecasts and rain callbacks</p>
      <p class="credits">
        ${attributions
          .filter(({ isAppOnly }) => !isAppOnly)
          .map(({ credit, url, licence }) => html`<span><a href="${url}">${credit}</a> (${licence})</span> `)}
      </p>
      <nav aria-label="Footer">
        ${linksFor(parts, footerLinks).map(({ href, text }) => html`<a href="${href}">${text}</a> `)}
      </nav>
    </div>
  </footer>`;
}

/** Isolates the writing direction of a user's text from the line around it. */
export function foreign(text: string): SafeHtml {
  return html`<bdi>${text}</bdi>`;
}
