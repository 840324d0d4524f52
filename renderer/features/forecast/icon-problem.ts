// Why an icon is not shown. The page may not ask the icon's server itself (Content-Security-Policy), so no HTTP status is known.

export type IconProblem = { short: string; long: string };

export function iconProblem(url: string | null): IconProblem {
  if (url === null) return { short: 'none', long: 'the point has no icon address' };
  return { short: 'no icon', long: `no image came from ${url}` };
}
