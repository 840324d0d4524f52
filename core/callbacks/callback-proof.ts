// One callback as an HTML file that opens anywhere, offline. What the signature covers is shown from the bytes that it is verified over, in
// the reader's own browser; the rest (URL, headers, response, verdict) is called claims of the exporter. Such a file is read and verified
// without running anything of it.
import { createHash } from 'node:crypto';
import {
  type Callback,
  type CallbackProof,
  type HeaderList,
  type SignatureDiagnosis,
  verdictLabels,
} from '@rainbell/contract/app-rpc';
import { escapeHidden, formatInstant, pick } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import { pairsOf } from '../http/http-headers.ts';
import { diagnoseRequest, type KnownSecret } from '../senders/diagnose-sender.ts';
import { toSenderRequest } from '../senders/endpoint-sender.ts';
import { readSenderRequest } from '../senders/sender-request.ts';
import { requireSender, senderRows } from '../senders/sender-rows.ts';
import { recognizeSender } from '../senders/verify-sender.ts';
import { masking, plainMasker } from '../traffic/mask.ts';
import { type CallbackRecord, fromRecord, importFailure } from './callback-records.ts';
import { proofScript } from './callback-proof-script.ts';

export type ProofFacts = {
  version: string;
  /** Epoch milliseconds. */
  exportedAt: number;
  connection: { name: string; baseUrl: string } | null;
  mask: (text: string) => string;
};

/** Of the response’s body. */
const maxShownTextLength = 200_000;

const lanToken = 'the token in the URLs of the local network';

/** A file is not checked later. */
const verdictTexts = { ...verdictLabels, unknown: 'Not checked' };
const checkNames: Readonly<Record<Callback['checks'][number]['check'], string>> = {
  request: 'Request',
  monitor: 'Monitor object',
  registered: 'Known monitor',
  address: 'Callback URL',
  hour: 'Cool-down',
  signature: 'Signature',
  sender: 'Sender',
  handshake: 'Handshake',
  storage: 'Storage',
};
const checkTexts = { ok: 'passed', warning: 'warning', error: 'failed', unknown: 'not checked' } as const;

/** Renders the file. Secrets are masked, except in the body, which is whole, because the signature covers it. */
export function renderProof(received: Callback, facts: ProofFacts): CallbackProof {
  const redactions: string[] = ['The sender’s IP address is left out.'];
  const { bodyBase64, ...others } = received;
  const masked = JSON.stringify(others, masking(facts.mask));
  const callback: Callback = { ...(JSON.parse(masked) as typeof others), bodyBase64 };
  if (masked !== JSON.stringify(others)) redactions.push(`Secrets of this app, such as ${lanToken}, are masked.`);
  const body = Buffer.from(bodyBase64, 'base64').toString();
  if (facts.mask(body) !== body)
    redactions.push(`Not masked: the body contains a secret of this app, such as ${lanToken}.`);
  const target = plainMasker.url(callback.target);
  if (target !== callback.target) redactions.push('Secret parameters in the URL are masked.');
  const hide = (headers: HeaderList, of: 'Request' | 'Response'): HeaderList => {
    const hidden = plainMasker.headers(headers);
    for (const [index, [name, value]] of headers.entries())
      if (hidden[index]?.[1] !== value) redactions.push(`${of} header ${name} is masked.`);
    return hidden;
  };
  // In the form of an export (callback-records.ts), so that it can be imported.
  const record: CallbackRecord = {
    ...pick(callback, 'receivedAt', 'method', 'httpVersion', 'truncated', 'answeredStatus'),
    target,
    remoteAddress: '',
    bodyBase64,
    headers: hide(callback.headers, 'Request'),
  };
  const response = callback.answer && { ...callback.answer, headers: hide(callback.answer.headers, 'Response') };
  if (callback.note !== '') redactions.push('Your note is left out.');
  if (callback.truncated) redactions.push('The body was truncated at the receiver’s limit.');
  const hash = createHash('sha256').update(proofScript).digest('base64');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width">
<title>Callback ${callback.id}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>Callback ${callback.id} <span id="badge" class="mute">Not verified</span></h1>
<p>This page doesn’t contain the key. Paste the service’s public key (whpk_…, or the JSON from <code>${escape(keyAddress(facts))}</code>), or your own webhook secret. The verification runs in this page, which can’t send anything. A page can be rewritten: <code>rainbell verify FILE</code>, or importing the file, checks it independently.</p>
<form id="verify"><label for="key">Public key or secret</label> <input id="key" type="password" autocomplete="off" size="60"> <button>Verify</button> <output id="outcome"></output></form>
<h2>Covered by the signature</h2>
<dl><dt>Event ID</dt><dd id="event"></dd><dt>Signed at</dt><dd id="time"></dd><dt>Body</dt><dd id="hash"></dd></dl>
<p id="note"></p>
<pre id="body"></pre>
<h2>Not covered by the signature</h2>
<p>Claims of the exporter: no signature proves what follows.</p>
<pre id="request"></pre>
${listOf([
  ['Verdict', verdictTexts[callback.verdictName]],
  ['Received', `${callback.receivedAt} (UTC)`],
  ['Service', facts.connection ? `${facts.connection.name}, ${facts.connection.baseUrl}` : 'unknown'],
  ['Exported', `${formatInstant(facts.exportedAt)} (UTC) by Rainbell ${facts.version}`],
])}
<table><thead><tr><th>Check</th><th>Result</th><th>Evidence</th></tr></thead><tbody>
${callback.checks.map(({ check, verdict, message }) => row([checkNames[check], checkTexts[verdict], message])).join('\n')}
</tbody></table>
<h3>Response</h3>
${response ? `<p>${escape(describeOutcome(callback))}</p><pre>${escape(`${response.status ?? 'no status'}\n${headerText(response.headers)}\n${response.body.slice(0, maxShownTextLength)}`)}</pre>` : '<p>Not recorded.</p>'}
<h2>Left out or masked</h2>
<ul>${redactions.map((one) => `<li>${escape(one)}</li>`).join('')}</ul>
<script type="application/json" id="callback">${JSON.stringify(record).replaceAll('<', String.raw`\u003c`)}</script>
<script>${proofScript}</script>
</main>
</body>
</html>
`;
  return { fileName: `callback-${callback.id}.html`, html, redactions };
}

function describeOutcome({ outcome }: Callback): string {
  const { kind, afterMs, bytesSent } = outcome;
  return [
    `Outcome: ${kind}.`,
    ...(afterMs === null ? [] : [`Time from receipt to outcome: ${afterMs} ms.`]),
    ...(bytesSent === null ? [] : [`Bytes sent: ${bytesSent}.`]),
  ].join(' ');
}

function keyAddress({ connection }: ProofFacts): string {
  return `${connection?.baseUrl ?? 'https://…'}/.well-known/webhook-keys.json`;
}

function headerText(headers: HeaderList): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function listOf(pairs: readonly (readonly [string, string])[]): string {
  return `<dl>${pairs.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`).join('')}</dl>`;
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`;
}

/** Hidden and reordering characters become escapes, so that they can't disguise anything. */
function escape(text: string): string {
  return escapeHidden(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const styles = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0}main{margin:0 auto;max-width:960px;padding:24px}
h1 span{border-radius:4px;font-size:15px;padding:2px 8px;vertical-align:middle}
.good{background:#d8f3dc;color:#14532d}.bad{background:#fee2e2;color:#7f1d1d}.mute{background:#e5e7eb;color:#1f2937}
dl{display:grid;gap:4px 16px;grid-template-columns:max-content 1fr}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
pre{background:color-mix(in srgb,currentColor 8%,transparent);overflow-wrap:anywhere;padding:12px;white-space:pre-wrap}
table{border-collapse:collapse;width:100%}td:nth-child(2){white-space:nowrap}td,th{border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);padding:4px 8px;text-align:left;vertical-align:top}
code{overflow-wrap:anywhere}output{font-weight:600}`;

/** Throws AppFailure INVALID_INPUT. */
export function readProof(html: string): ReturnType<typeof fromRecord> {
  const [, json] = /<script type="application\/json" id="callback">(.*?)<\/script>/s.exec(html) ?? [];
  try {
    return fromRecord(JSON.parse(json ?? ''));
  } catch (error) {
    if (error instanceof AppFailure) throw error;
    throw importFailure('The file is not a callback that Rainbell exported as a page.', error);
  }
}

/** `sender`: the ID of a row, in place of the recognized one. Throws AppFailure INVALID_INPUT. */
export function verifyProof(
  html: string,
  secrets: readonly KnownSecret[],
  sender?: string,
): SignatureDiagnosis & { bodyBytes: number; sha256: string } {
  const { body, receivedAt, truncated, rawHeaders, method, target } = readProof(html);
  if (truncated)
    throw new AppFailure('INVALID_INPUT', 'The file has only a part of the body, so nothing can be verified.');
  const request = toSenderRequest({ method, target, headers: pairsOf(rawHeaders), body }, null);
  const profile =
    sender === undefined ? recognizeSender(senderRows, readSenderRequest(request)) : requireSender(sender);
  if (!profile) throw new AppFailure('INVALID_INPUT', 'No known sender signs like this. Choose the sender.');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { ...diagnoseRequest(profile, request, secrets, receivedAt), bodyBytes: body.length, sha256 };
}
