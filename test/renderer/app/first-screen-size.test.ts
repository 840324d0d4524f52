// Goal 10 of docs/performance.md, without a browser: the entry script and what it imports. The bench measures the same in Chromium.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

/** Gzipped bytes of the scripts that the page loads before it runs. */
function scriptBytes(built: string): number {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const waiting = [...page.matchAll(/<script[^>]+src="\/?([^"]+)"/g)].map((match) => match[1] ?? '');
  const sizes = new Map<string, number>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (sizes.has(file)) continue;
    const script = readFileSync(join(built, file));
    sizes.set(file, gzipSync(script, { level: 9 }).length);
    const imports = script.toString().matchAll(/(?:^|[;}])import\s*(?:[\w{}\s,*$]+from\s*)?["']\.\/([^"']+)["']/g);
    waiting.push(...[...imports].map((match) => `assets/${match[1]}`));
  }
  expect(sizes.size).toBeGreaterThan(0);
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

it('the first screen loads at most 220 KB of JavaScript, gzipped', () => {
  const bytes = scriptBytes(join(import.meta.dirname, '../../../dist/renderer'));
  expect(bytes / 1024).toBeLessThanOrEqual(220);
});
