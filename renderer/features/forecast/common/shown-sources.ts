// Sources as names that fit: a service may send any number, of any length. The JSON has all of them.
import { plural, visibleText } from '@rainbell/shared';

const maxSources = 8;

export function shownSources(sources: readonly string[]): readonly string[] {
  const shown = [...new Set(sources.slice(0, maxSources))].map((source) => visibleText(source, 60));
  return sources.length > maxSources
    ? [...shown, plural(sources.length - maxSources, ['# more source', '# more sources'])]
    : shown;
}

export function formatSources(sources: readonly string[] | null): string {
  if (sources === null) return 'not sent';
  return sources.length === 0 ? 'none (empty list)' : shownSources(sources).join(', ');
}
