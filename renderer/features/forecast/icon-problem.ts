// Why an icon is not shown. The page may not ask the icon's server itself (Content-Security-Policy), so core asks once per
// address and tells the HTTP status.
import { useEffect } from 'react';
import { useApp } from '#renderer/store/use-app.ts';

export type IconProblem = { short: string; long: string };

/** What core found; undefined while it is asking. */
export type IconAnswer = { status: number | null; problem: string | null };

export function iconProblem(url: string | null, answer: IconAnswer | undefined): IconProblem {
  if (url === null) return { short: 'none', long: 'the point has no icon address' };
  if (answer === undefined || (answer.status === null && answer.problem === null)) {
    return { short: 'no icon', long: `no image came from ${url}` };
  }
  if (answer.status === null) return { short: 'no answer', long: `${url}: ${answer.problem}` };
  const isFine = answer.status >= 200 && answer.status < 300;
  return {
    short: String(answer.status),
    long: `${url} answered ${answer.status}${isFine ? ', but with no image that can be drawn' : ''}`,
  };
}

/** Asks core, once per address for all icons alike. */
export function useIconProblem(url: string | null): IconProblem {
  const answer = useApp((state) => (url === null ? undefined : state.icons.answers[url]));
  const ask = useApp((state) => state.icons.ask);
  useEffect(() => {
    if (url !== null) void ask(url);
  }, [url, ask]);
  return iconProblem(url, answer);
}
