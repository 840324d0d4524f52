/** An ID that no row has or had, as in `path-mimhyk3c`: what is stored of a removed one must not become another's. */
export function freshId(prefix: string): string {
  return `${prefix}-${Date.now().toString(36)}`;
}
