// The vocabulary must be the one that clients of the old service use: the recorded table is the oracle.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { iconAliases, iconName, iconNames, statusLabel, statusTable } from '#contract/service-api/vocabulary.ts';

const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/tables/status-vocabulary.json', import.meta.url), 'utf8'),
);

describe('the status vocabulary', () => {
  it('is the recorded table, word for word', () => {
    expect(statusTable).toEqual(recorded.statuses);
    expect(iconAliases).toEqual(recorded.aliases);
  });

  it('shows a moon for a clear sky without sun', () => {
    expect(iconName('sunny', 12)).toBe('sunny');
    expect(iconName('sunny', -0.1)).toBe('clear_moon');
    expect(iconName('partly cloudy', -30)).toBe('partly_moon');
  });

  it('names an icon for every status, and each only once', () => {
    expect(new Set(iconNames).size).toBe(iconNames.length);
    expect(iconNames).toContain('snow_flurries');
  });

  it('says "clear" to people at night while the wire says "sunny"', () => {
    expect(statusLabel('sunny', false)).toBe('clear');
    expect(statusLabel('sunny', true)).toBe('sunny');
    expect(statusLabel('sunny', null)).toBe('sunny');
  });
});
