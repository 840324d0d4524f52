// `rainbell monitors import` and `export` as processes against the real service: what one writes, the other reads.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { runRainbell } from './rainbell-process.ts';

type Exported = { id: string };

function withoutId({ id: _id, ...rest }: Exported) {
  return rest;
}

test('import plans, creates with names, skips what is there, and export round-trips', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  const data = ['--data', folder];
  const file = join(folder, 'sites.csv');
  await writeFile(
    file,
    'name;lat;lng;callback_uri;tags\n=Torino;45,07;7,69;http://127.0.0.1:9/t;"port; a\\;b"\nBergen;60,39;5,32;http://127.0.0.1:9/b;\n',
  );
  const planned = await runRainbell(['monitors', 'import', file, '--dry-run', '--json', ...data]);
  expect(JSON.parse(planned.out)).toEqual({ create: 2, skip: 0, error: 0, created: [], failed: [] });

  const imported = await runRainbell(['monitors', 'import', file, ...data]);
  expect(imported.code).toBe(0);
  expect(imported.out).toMatch(/^precipitation_\d+ {2}line 2\nprecipitation_\d+ {2}line 3\n$/);
  const again = await runRainbell(['monitors', 'import', file, '--json', ...data]);
  expect([again.code, JSON.parse(again.out)]).toEqual([0, { create: 0, skip: 2, error: 0, created: [], failed: [] }]);

  const csv = await runRainbell(['monitors', 'export', ...data]);
  expect(csv.out.split('\r\n')[0]).toBe('id,name,lat,lng,callback_uri,tags,note');
  expect(csv.out).toMatch(/precipitation_\d+,'=Torino,45\.07,7\.69,http:\/\/127\.0\.0\.1:9\/t,port; a\\;b,\r\n/);
  const json = await runRainbell(['monitors', 'export', '--format', 'json', ...data]);
  const exported = (JSON.parse(json.out) as { monitors: Exported[] }).monitors;
  expect(exported).toMatchObject([
    { name: '=Torino', tags: ['port', 'a;b'], callback_uri: 'http://127.0.0.1:9/t' },
    { name: 'Bergen', tags: [], geo: { lat: 60.39, lng: 5.32 } },
  ]);

  for (const [name, text] of [
    ['sites.json', json.out],
    ['export.csv', csv.out],
  ] as const) {
    const target = name === 'sites.json' ? other : temporaryFolder();
    await writeFile(join(folder, name), text);
    const copied = await runRainbell(['monitors', 'import', join(folder, name), '--data', target]);
    expect(copied.code).toBe(0);
    const back = await runRainbell(['monitors', 'export', '--format', 'json', '--data', target]);
    const read = (JSON.parse(back.out) as { monitors: Exported[] }).monitors;
    expect(read.map(withoutId)).toEqual(exported.map(withoutId));
  }
  // The export is what apply takes: nothing is to do.
  expect((await runRainbell(['monitors', 'plan', join(folder, 'sites.json'), ...data])).code).toBe(0);
});

test('import reads UTF-16, and refuses a file with an error as a whole, with the line, or with what to do', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'sites.csv');
  await writeFile(file, 'name,lat,lng\n"one",1,1\n"two,2,2\nthree,3,3\n');
  const refused = await runRainbell(['monitors', 'import', file, '--data', folder]);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.words).toContain('error: line 3: A quote opens on this line and is never closed');
  await writeFile(file, 'Ort;Breite;Länge\nTorino;45,07;7,69\n');
  const unmapped = await runRainbell(['monitors', 'import', file, '--data', folder]);
  expect(unmapped).toMatchObject({ code: 2, out: '' });
  expect(unmapped.words).toContain('error: line 1: Choose the latitude and longitude columns');
  const plan = () => runRainbell(['monitors', 'import', file, '--dry-run', '--data', folder]);
  const text = 'name,lat,lng\r\nZürich Höngg,47.4,8.5\r\n';
  await writeFile(file, Buffer.from(`\uFEFF${text}`, 'utf16le'));
  expect(await plan()).toMatchObject({ code: 0, out: 'line 2: create  Zürich Höngg, 47.4, 8.5\n' });
  await writeFile(file, Buffer.from(text, 'latin1'));
  const words = `error: ${file} is neither UTF-8 nor UTF-16 text. Save it as UTF-8 and try again.\n`;
  expect(await plan()).toEqual({ code: 2, out: '', words });
});
