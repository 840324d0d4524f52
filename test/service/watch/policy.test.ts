import { mkdir, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { StartError } from '#service/errors/start-error.ts';
import { formatPolicy, policyNames, readPolicy, standardPolicy, withRadius } from '#service/watch/policy.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

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
    expect(() => read({ [field]: value })).toThrow(`its field "${field}`);
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

describe('the policy', () => {
  // docs/verification.md describes these values.
  const standard = {
    name: 'standard',
    version: 1,
    description: 'Precipitation within 10 km, now or in the next 15 minutes.',
    radiusKm: 10,
    aheadMinutes: 15,
    leastMmPerHour: 0.1,
    sources: ['observation', 'radar', 'forecast'],
    neighbors: true,
  };

  it('of each name is the documented one', () => {
    expect(standardPolicy).toEqual(standard);
    expect(policyNames).toEqual(['standard', 'forecast-only', 'early', 'sure']);
    expect(policyNames.map(readPolicy)).toEqual([
      standard,
      {
        ...standard,
        name: 'forecast-only',
        description: 'Only the forecast for the location itself.',
        sources: ['forecast'],
        neighbors: false,
      },
      {
        ...standard,
        name: 'early',
        description: 'Precipitation within 10 km, now or in the next 30 minutes.',
        aheadMinutes: 30,
      },
      {
        ...standard,
        name: 'sure',
        description: 'Precipitation of more than 0.5 mm/h within 10 km, now or in the next 15 minutes.',
        leastMmPerHour: 0.5,
      },
    ]);
  });

  const errorOf = (nameOrFile: string) => {
    try {
      return readPolicy(nameOrFile);
    } catch (error) {
      const { kind, message } = error as { kind: string; message: string };
      return `${kind} ${message}`;
    }
  };
  const refusal = (file: string, reason: string) =>
    `settings The policy "${file}" can't be used: ${reason}. ` +
    'Use standard, forecast-only, early, sure, or a JSON file as described in docs/verification.md.';

  it('in a file is read, and each error names its field', async () => {
    const folder = temporaryFolder();
    const write = async (content: unknown) => {
      const file = path.join(folder, 'policy.json');
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    };
    const own = { ...standard, name: 'own-1', version: 1_000_000, description: undefined };
    expect(readPolicy(await write(own))).toEqual(own);
    for (const edge of [
      { name: 'a'.repeat(40), description: 'x'.repeat(500) },
      { radiusKm: 100, aheadMinutes: 60, leastMmPerHour: 50 },
      { radiusKm: 0, aheadMinutes: 0, leastMmPerHour: 0, sources: ['radar'], version: 1 },
    ]) {
      expect(readPolicy(await write({ ...own, ...edge }))).toEqual({ ...own, ...edge });
    }
    const file = await write('');
    for (const [changes, reason] of [
      [
        { name: 'Own' },
        'its field "name" is not valid (must start with a letter and contain only a-z, 0-9, and - (at most 40 characters))',
      ],
      [
        { name: 'a'.repeat(41) },
        'its field "name" is not valid (must start with a letter and contain only a-z, 0-9, and - (at most 40 characters))',
      ],
      [{ version: 0 }, 'its field "version" is not valid (Too small: expected number to be >=1)'],
      [{ version: 1_000_001 }, 'its field "version" is not valid (Too big: expected number to be <=1000000)'],
      [{ radiusKm: 101 }, 'its field "radiusKm" is not valid (Too big: expected number to be <=100)'],
      [{ radiusKm: -1 }, 'its field "radiusKm" is not valid (Too small: expected number to be >=0)'],
      [{ aheadMinutes: 61 }, 'its field "aheadMinutes" is not valid (Too big: expected number to be <=60)'],
      [{ leastMmPerHour: 51 }, 'its field "leastMmPerHour" is not valid (Too big: expected number to be <=50)'],
      [{ sources: ['radar', 'radar'] }, 'its field "sources" is not valid (must not name a source more than once)'],
      [{ sources: [] }, 'its field "sources" is not valid (Too small: expected array to have >=1 items)'],
      [
        { sources: ['crowd'] },
        'its field "sources.0" is not valid (Invalid option: expected one of "observation"|"radar"|"forecast")',
      ],
      [{ more: 1 }, 'Unrecognized key: "more"'],
      [
        { description: 'x'.repeat(501) },
        'its field "description" is not valid (Too big: expected string to have <=500 characters)',
      ],
    ] as const) {
      await write({ ...own, ...changes });
      expect(errorOf(file)).toBe(refusal(file, reason));
    }
    const text = JSON.stringify(own);
    await write(text + ' '.repeat(16_384 - text.length));
    expect(readPolicy(file)).toEqual(own);
    await write(text + ' '.repeat(16_385 - text.length));
    expect(errorOf(file)).toBe(refusal(file, 'it is larger than 16384 bytes'));
    expect(errorOf('nowhere')).toBe(refusal('nowhere', 'it is neither a file nor a built-in policy'));
    await mkdir(path.join(folder, 'folder'));
    expect(errorOf(path.join(folder, 'folder'))).toMatch(/^settings The policy .* can't be used: EISDIR/);
    await write('{');
    expect(errorOf(file)).toMatch(/can't be used: .*JSON.* Use standard/);
  });

  it('gets another name with another radius', () => {
    expect(withRadius(standardPolicy, undefined)).toBe(standardPolicy);
    expect(withRadius(standardPolicy, 10)).toBe(standardPolicy);
    expect(withRadius(standardPolicy, 2.5)).toEqual({ ...standard, name: 'standard-2.5km', radiusKm: 2.5 });
    expect(formatPolicy({ name: 'early', version: 3 })).toBe('early/3');
  });
});
