// What became of the icons that did not load: one question per address, asked through core.
import type { SliceTools } from '#renderer/store/slice.ts';
import type { IconAnswer } from './icon-problem.ts';

export type IconsSlice = {
  answers: Readonly<Record<string, IconAnswer>>;
  ask(url: string): Promise<void>;
};

export function createIconsSlice({ client, read, change }: SliceTools<IconsSlice>): IconsSlice {
  const asked = new Set<string>();
  return {
    answers: {},
    async ask(url) {
      if (asked.has(url)) return;
      asked.add(url);
      // Where core cannot tell, the stand-in says only that no image came.
      const answer = await client.forecast.iconStatus({ url }).catch(() => ({ status: null, problem: null }));
      change({ answers: { ...read().answers, [url]: answer } });
    },
  };
}
