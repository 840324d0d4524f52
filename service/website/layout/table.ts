// Tables. On a phone each row is a list of titles and values. The roles keep it a table for assistive technology, whatever its display.
import { html, type SafeHtml } from '@remix-run/html-template';

export type Cells = readonly (SafeHtml | string)[];

export function facts(rows: readonly (readonly [name: SafeHtml | string, value: SafeHtml | string])[]): SafeHtml {
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

export function table(label: string, columns: readonly string[], rows: readonly Cells[]): SafeHtml {
  return html`<div class="table" tabindex="0" role="region" aria-label="${label}">
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (cells) =>
            html`<tr role="row">
              ${cells.map((cell, index) => html`<td role="cell" data-title="${columns[index] ?? ''}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
