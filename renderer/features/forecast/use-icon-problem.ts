// Why an icon did not load. An image element does not tell, so the address is asked once more.
import { useEffect, useState } from 'react';

export type IconProblem = { short: string; long: string };

const noAddress: IconProblem = { short: 'none', long: 'the point has no icon address' };
const unanswered: IconProblem = { short: 'no icon', long: 'the icon did not load; its server gave no readable answer' };

export function useIconProblem(url: string | null): IconProblem {
  const [problem, setProblem] = useState<IconProblem>(url === null ? noAddress : unanswered);
  useEffect(() => {
    if (url === null) return;
    const abort = new AbortController();
    fetch(url, { signal: abort.signal, credentials: 'omit' }).then(
      (answer) =>
        setProblem(
          answer.ok
            ? { short: 'no image', long: 'the answer is not an image that can be shown' }
            : { short: String(answer.status), long: `the icon's server answered HTTP ${answer.status}` },
        ),
      () => undefined,
    );
    return () => abort.abort();
  }, [url]);
  return problem;
}
