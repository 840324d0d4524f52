// The worker in which a JSONPath is searched for. It answers once and then ends.
import { linesOfPath } from './lines-of-path.ts';
import type { TaskReply } from './viewer-worker.ts';

export type PathSearch = { text: string; path: string };

addEventListener('message', ({ data: { text, path } }: MessageEvent<PathSearch>) => {
  postMessage({ value: linesOfPath(text, path) } satisfies TaskReply);
});
