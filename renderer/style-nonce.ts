// The nonce of the page's style elements: its Content-Security-Policy allows no other inline styles (core/hosting/screen-files.ts).
declare global {
  /** Where react-remove-scroll, which Mantine's dialogs use, looks for the nonce (its package get-nonce). */
  var __webpack_nonce__: string | undefined;
}

/** Reads the nonce that the host wrote into the page, and passes it to the libraries that have no option for it. */
export function readStyleNonce(page: Document): string {
  const nonce = page.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
}
