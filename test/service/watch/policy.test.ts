import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { StartError } from '#service/errors/start-error.ts';
import { formatPolicy, policyNames, readPolicy, standardPolicy, withRadius } from '#service/watch/policy.ts';

// Limits and built-in policies as in docs/verification.md.
const folder = mkdtempSync(path.join(tmpdir(), 'rainbell-policy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const valid = {
  name: 'mine',
  version: 1,
  radiusKm: 5,
  aheadMinutes: 10,
  leastMmPerHour: 0.2,
  sources: ['radar'],
  neighbors: false,
};

function fileWith(content: string): string {
  const file = path.join(folder, 'policy.json');
  writeFileSync(file, content);
  return file;
}

function read(changes: Record<string, unknown>) {
  return readPolicy(fileWith(JSON.stringify({ ...valid, ...changes })));
}

describe('a policy file', () => {
  it.each([
    { name: 'a' },
    { name: `a${'-9'.repeat(19)}z` },
    { version: 1_000_000 },
    { description: 'd'.repeat(500) },
    { radiusKm: 0 },
    { radiusKm: 100 },
    { aheadMinutes: 0 },
    { aheadMinutes: 60 },
    { leastMmPerHour: 0 },
    { leastMmPerHour: 50 },
    { sources: ['forecast', 'radar', 'observation'] },
    { neighbors: true },
  ])('may have %o', (changes) => {
    expect(read(changes)).toStrictEqual({ ...valid, ...changes });
  });

  it.each([
    ['name', ''],
    ['name', 'Mine'],
    ['name', '9mine'],
    ['name', 'mine!'],
    ['name', `a${'b'.repeat(40)}`],
    ['version', 0],
    ['version', 1.5],
    ['version', 1_000_001],
    ['description', 'd'.repeat(501)],
    ['radiusKm', -0.1],
    ['radiusKm', 100.1],
    ['aheadMinutes', -0.1],
    ['aheadMinutes', 60.1],
    ['leastMmPerHour', -0.1],
    ['leastMmPerHour', 50.1],
    ['sources', []],
    ['sources', ['radar', 'radar']],
    ['sources', ['satellite']],
    ['neighbors', 'yes'],
  ])('is refused for its %s %o', (field, value) => {
    expect(() => read({ [field]: value })).toThrow(StartError);
    expect(() => read({ [field]: value })).toThrow(`its ${field}`);
  });

  it('is refused for an unknown field', () => {
    expect(() => read({ radiusMiles: 3 })).toThrow('radiusMiles');
  });

  it('may have 16,384 bytes, but no more', () => {
    const text = JSON.stringify(valid);
    expect(readPolicy(fileWith(text.padEnd(16_384)))).toStrictEqual(valid);
    expect(() => readPolicy(fileWith(text.padEnd(16_385)))).toThrow('larger than 16384 bytes');
  });

  it('is refused if it is missing or not JSON', () => {
    expect(() => readPolicy(path.join(folder, 'none.json'))).toThrow('neither a file nor a built-in policy');
    expect(() => readPolicy(fileWith('{'))).toThrow('JSON');
    expect(() => readPolicy(fileWith('{'))).not.toThrow('neither a file');
  });
});

describe('the built-in policies', () => {
  const allSources = ['observation', 'radar', 'forecast'];

  it.each([
    ['standard', 15, 0.1, allSources, true],
    ['forecast-only', 15, 0.1, ['forecast'], false],
    ['early', 30, 0.1, allSources, true],
    ['sure', 15, 0.5, allSources, true],
  ])('include %s', (name, aheadMinutes, leastMmPerHour, sources, neighbors) => {
    expect(policyNames).toContain(name);
    const { description, ...rest } = readPolicy(name);
    expect(description).toContain('.');
    expect(rest).toStrictEqual({ name, version: 1, radiusKm: 10, aheadMinutes, leastMmPerHour, sources, neighbors });
  });

  it('are named in the answer to an unknown name', () => {
    for (const name of policyNames) expect(() => readPolicy('nonsense')).toThrow(name);
  });
});

describe('another radius', () => {
  it('shows in the name', () => {
    expect(withRadius(standardPolicy, 25)).toStrictEqual({ ...standardPolicy, name: 'standard-25km', radiusKm: 25 });
    expect(withRadius(standardPolicy, 0)).toStrictEqual({ ...standardPolicy, name: 'standard-0km', radiusKm: 0 });
  });

  it('changes nothing if it is missing or the same', () => {
    expect(withRadius(standardPolicy, undefined)).toBe(standardPolicy);
    expect(withRadius(standardPolicy, 10)).toBe(standardPolicy);
  });
});

it('events record a policy by name and version', () => {
  expect(formatPolicy({ name: 'early', version: 2 })).toBe('early/2');
});
