// The charset that a `Content-Type` declares.

/** In lower case, as for TextDecoder; utf-8 if none is declared. It may be one that no decoder knows. */
export function charsetOf(contentType: string): string {
  if (!/charset/i.test(contentType)) return 'utf-8';
  const [, quoted, plain] =
    /;\s*charset\s*=\s*(?:"([^"]{1,40})"|([^\s;,"]{1,40}))/i.exec(contentType.slice(0, 1000)) ?? [];
  return (quoted ?? plain ?? 'utf-8').trim().toLowerCase();
}
