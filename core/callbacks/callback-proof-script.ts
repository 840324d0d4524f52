// The script of an exported callback (callback-proof.ts), as text: it runs in the reader's browser, with nothing else beside it.

/**
 * Shows the request, and verifies its signature with a key that the reader pastes. Both read the page's data, so what is shown as signed is
 * what is verified. Uses Web Crypto; sends nothing.
 */
export const proofScript = String.raw`'use strict';
const data = JSON.parse(document.getElementById('callback').textContent);
const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const fromUrl = (text) => text.replaceAll('-', '+').replaceAll('_', '/').padEnd(Math.ceil(text.length / 4) * 4, '=');
const hex = (list) => Array.from(list, (one) => one.toString(16).padStart(2, '0')).join('');
const header = (name) => data.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
const body = bytes(data.bodyBase64);
const [id, time, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header);
const head = new TextEncoder().encode(id + '.' + time + '.');
const signed = new Uint8Array(head.length + body.length);
signed.set(head);
signed.set(body, head.length);
const maxShown = 200000;
function show(name, text) {
  // Hidden and reordering characters become escapes, so that they can't disguise anything.
  const escaped = text.replace(/[\p{C}\u2028\u2029]/gu, (character) =>
    /[\t\n]/.test(character) ? character : '\\u' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0'));
  document.getElementById(name).textContent = escaped.slice(0, maxShown);
  if (escaped.length > maxShown) document.getElementById('note').textContent += ' Only the first ' + maxShown + ' characters are shown.';
}
function bodyText() {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    document.getElementById('note').textContent = 'The body is shown in hexadecimal.';
    return hex(body).replaceAll(/(.{64})/g, '$1\n');
  }
}
show('event', id || 'none');
show('time', /^\d{1,12}$/.test(time) ? new Date(time * 1000).toISOString() + ' (UTC)' : 'none');
show('body', bodyText());
const others = data.headers.filter(([name]) => !/^webhook-(id|timestamp|signature)$/i.test(name));
show('request', data.method + ' ' + data.target + ' HTTP/' + data.httpVersion + others.map((pair) => '\n' + pair.join(': ')).join(''));
crypto.subtle.digest('SHA-256', body).then((digest) => show('hash', body.length + ' B, SHA-256 ' + hex(new Uint8Array(digest))));
function signatures(version) {
  return signature.split(' ').filter((one) => one.startsWith(version + ',')).flatMap((one) => {
    try {
      return [bytes(one.slice(version.length + 1))];
    } catch {
      return [];
    }
  });
}
function keysIn(text) {
  if (text.startsWith('{')) return JSON.parse(text).keys.map((key) => ['v1a', bytes(fromUrl(key.x))]);
  if (text.startsWith('whpk_')) return [['v1a', bytes(text.slice(5))]];
  return [['v1', bytes(text.replace(/^whsec_/, ''))]];
}
async function isValid([version, raw]) {
  const algorithm = version === 'v1a' ? { name: 'Ed25519' } : { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  for (const one of signatures(version)) {
    if (await crypto.subtle.verify(algorithm.name, key, one, signed)) return true;
  }
  return false;
}
function conclude(tone, label, text) {
  const badge = document.getElementById('badge');
  badge.className = tone;
  badge.textContent = label;
  document.getElementById('outcome').textContent = text;
}
document.getElementById('verify').addEventListener('submit', async (event) => {
  event.preventDefault();
  conclude('mute', 'Not verified', 'Verifying\u2026');
  try {
    const keys = keysIn(document.getElementById('key').value.trim());
    if (id === '' || time === '' || keys.every(([version]) => signatures(version).length === 0))
      return conclude('mute', 'Not verified', 'The callback has no signature for this kind of key.');
    const results = await Promise.all(keys.map(isValid));
    if (results.includes(true)) conclude('good', 'Signature valid', 'The signature is valid.');
    else conclude('bad', 'Signature wrong', 'The signature is NOT valid with this key.');
  } catch {
    conclude('mute', 'Not verified', 'This is not a key. Paste whpk_\u2026, whsec_\u2026, or the JSON of the published keys.');
  }
});
`;
