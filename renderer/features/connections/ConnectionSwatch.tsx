// How a connection is marked in its menu: its color and its host.

export function ConnectionSwatch({ color }: { readonly color: string }) {
  return <span className="rb-swatch" style={{ background: color }} />;
}

export function formatHost(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '');
}
