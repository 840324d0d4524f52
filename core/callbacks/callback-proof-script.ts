// The script of an exported callback (callback-proof.ts), as text: it runs in the reader's browser, with nothing else beside it.

/** Verifies the signature of the page's data with a key that the reader pastes. Uses Web Crypto; sends nothing. */
export const proofScript = String.raw`'use strict';
const data = JSON.parse(document.getElementById('callback').textContent);
const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const fromUrl = (text) => text.replaceAll('-', '+').replaceAll('_', '/').padEnd(Math.ceil(text.length / 4) * 4, '=');
const body = bytes(data.bodyBase64);
const head = new TextEncoder().encode(data.id + '.' + data.timestamp + '.');
const signed = new Uint8Array(head.length + body.length);
signed.set(head);
signed.set(body, head.length);
function signatures(version) {
  return data.signature.split(' ').filter((one) => one.startsWith(version + ',')).flatMap((one) => {
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
  for (const signature of signatures(version)) {
    if (await crypto.subtle.verify(algorithm.name, key, signature, signed)) return true;
  }
  return false;
}
document.getElementById('verify').addEventListener('submit', async (event) => {
  event.preventDefault();
  const outcome = document.getElementById('outcome');
  outcome.textContent = 'Verifying\u2026';
  try {
    const keys = keysIn(document.getElementById('key').value.trim());
    if (keys.every(([version]) => signatures(version).length === 0)) {
      outcome.textContent = 'The callback has no signature for this kind of key.';
      return;
    }
    const results = await Promise.all(keys.map(isValid));
    outcome.textContent = results.includes(true) ? 'The signature is valid.' : 'The signature is NOT valid with this key.';
  } catch {
    outcome.textContent = 'This is not a key. Paste whpk_\u2026, whsec_\u2026, or the JSON of the published keys.';
  }
});
`;
