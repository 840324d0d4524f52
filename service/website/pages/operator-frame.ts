// Common to all operator pages: access control, tabs, paged lists, and the password that a change requires.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { FastifyRequest } from 'fastify';
import type { SignIn } from '#service/accounts/sign-in.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import { textField } from '#service/website/layout/fields.ts';
import { icon, type IconName } from '#service/website/layout/icons.ts';
import type { OwnFormPage, OwnPage, OwnView, PageRoutes } from '#service/website/layout/page-routes.ts';
import { requirePassword } from './confirm-password.ts';

const tabs = [
  { path: '', text: 'Queue' },
  { path: 'accounts/', text: 'Accounts' },
  { path: 'applications/', text: 'Applications' },
  { path: 'limits/', text: 'Limits' },
  { path: 'providers/', text: 'Providers' },
  { path: 'accuracy/', text: 'Accuracy' },
  { path: 'audit/', text: 'Audit log' },
  { path: 'outbox/', text: 'Outbox' },
] as const;

export type OperatorTab = (typeof tabs)[number]['path'];

export const operatorSection = '/operator/';

/** Throws the error of a page that does not exist for everyone else. */
function requireOperator({ account }: OwnView): void {
  if (account.is_operator === 1) return;
  throw new ServiceError(
    'not_found',
    'There is no page at this URL. The page may have moved, or the URL may contain a typo.',
  );
}

export type OperatorRoutes = { page(page: OwnPage): void; form(page: OwnFormPage): void };

/** Adds pages and forms only for operators. A form requires the operator's password, in the field `password`. */
export function operatorRoutes(routes: PageRoutes, signIn: SignIn): OperatorRoutes {
  return {
    page: (page) =>
      routes.ownPage({
        ...page,
        section: operatorSection,
        view(view) {
          requireOperator(view);
          return page.view(view);
        },
      }),
    form: (page) =>
      routes.ownForm({
        ...page,
        section: operatorSection,
        view(view) {
          requireOperator(view);
          return page.view(view);
        },
        async submit(view, submission) {
          requireOperator(view);
          await confirm(view, submission.request);
          return page.submit(view, submission);
        },
      }),
  };

  async function confirm({ account, form }: OwnView, request: FastifyRequest): Promise<void> {
    await requirePassword(signIn, account, form.get('password'), 'password', request.ip);
  }
}

/** The last field of each form. */
export function passwordField(problems: OwnView['problems']): SafeHtml {
  return textField({
    name: 'password',
    label: 'Your password',
    type: 'password',
    autocomplete: 'current-password',
    problems,
  });
}

export function operatorHead(current: OperatorTab, title: string, text: string): SafeHtml {
  return html`<div class="page-head">
      <div>
        <h1>${title}</h1>
        ${text === '' ? '' : html`<p>${text}</p>`}
      </div>
    </div>
    <nav class="tabs" aria-label="Operator">
      ${tabs.map(
        (tab) =>
          html`<a href="/operator/${tab.path}" ${tab.path === current ? html`aria-current="page"` : ''}
            >${tab.text}</a
          >`,
      )}
    </nav>`;
}

export const pageRows = 50;
/** For older rows, users search. */
const maxPages = 200;

/** Returns the page number in the query, from 1. */
export function pageNumber(query: URLSearchParams): number {
  const asked = query.get('page') ?? '1';
  return /^\d{1,3}$/.test(asked) ? Math.min(maxPages, Math.max(1, Number(asked))) : 1;
}

/** Returns how many rows to skip, and a page's size plus one, to detect the next page. */
export function rowsOf(query: URLSearchParams): { limit: number; offset: number } {
  return { limit: pageRows + 1, offset: (pageNumber(query) - 1) * pageRows };
}

type Column = { title: string; isNumber?: boolean };
type List<Row> = {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  cells: (row: Row) => readonly (SafeHtml | string)[];
  query: URLSearchParams;
  path: string;
  empty: { icon: IconName; title: string };
};

/** A table with links to the previous and next page. */
export function pagedTable<Row>({ rows, query, path, ...list }: List<Row>): SafeHtml {
  const number = pageNumber(query);
  const hasMore = rows.length > pageRows && number < maxPages;
  return html`${table({ ...list, rows: rows.slice(0, pageRows) })}
  ${
    number === 1 && !hasMore
      ? ''
      : html`<nav class="actions" aria-label="Pages">
          ${number > 1 ? html`<a class="button" rel="prev" href="${pageUrl(path, query, number - 1)}">Previous page</a>` : ''}
          <span class="muted">Page ${number}</span>
          ${hasMore ? html`<a class="button" rel="next" href="${pageUrl(path, query, number + 1)}">Next page</a>` : ''}
        </nav>`
  }`;
}

export function table<Row>({ label, columns, rows, cells, empty }: Omit<List<Row>, 'query' | 'path'>): SafeHtml {
  if (rows.length === 0) {
    return html`<section class="card empty">
      ${icon(empty.icon)}
      <h2>${empty.title}</h2>
    </section>`;
  }
  const cellClass = (index: number) => (columns[index]?.isNumber === true ? html`class="number"` : '');
  // On a phone each row is a list of titles and values. The roles keep it a table for assistive technology, whatever its display.
  return html`<div class="table rows" tabindex="0" role="region" aria-label="${label}">
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(({ title }, index) => html`<th scope="col" role="columnheader" ${cellClass(index)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${cells(row).map(
                (cell, index) =>
                  html`<td role="cell" data-title="${columns[index]?.title ?? ''}" ${cellClass(index)}>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function pageUrl(path: string, query: URLSearchParams, number: number): string {
  const next = new URLSearchParams(query);
  next.set('page', String(number));
  return `${path}?${next.toString()}`;
}

/** Returns the search text, at most 100 characters. */
export function searchOf(query: URLSearchParams): string {
  return (query.get('search') ?? '').trim().slice(0, 100);
}

export function searchForm(path: string, query: URLSearchParams, label: string): SafeHtml {
  return html`<form method="get" action="${path}" role="search">
    ${textField({ name: 'search', label, value: searchOf(query) })}
    <div class="actions"><button type="submit">Search</button></div>
  </form>`;
}
