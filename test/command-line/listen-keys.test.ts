// `rainbell listen` in a terminal, with real key presses.
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { hasTerminal, sendCallback, startInTerminal } from './rainbell-process.ts';

test.runIf(hasTerminal())(
  'rainbell listen in a terminal shows details, replays, copies, and quits by key',
  async () => {
    const { screen, press, shows, closed } = startInTerminal(`listen --port 0 --data '${temporaryFolder()}'`);
    await expect.poll(screen).toMatch(/Keys: ↑ and ↓ choose a callback/);
    const baseUrl = /Listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(screen())?.[1] ?? '';
    await shows(/No callbacks yet/, () => press('r'));
    await shows(/1 {2}\S+ {2}POST \S+ {2}precipitation_1 /, () => sendCallback(baseUrl, 'precipitation_1'));
    await shows(/2 {2}\S+ {2}POST \S+ {2}precipitation_2 /, () => sendCallback(baseUrl, 'precipitation_2'));
    await shows(/content-type: application\/json[^]*"id":"precipitation_2"/i, () => press('\r'));
    await shows(/1 {2}\S+ {2}POST \S+ {2}precipitation_1 /, () => press('\u001b[A'));
    await shows(/Callback 1 replayed: 200 after \d+ ms/, () => press('r'));
    await shows(/Copied the body of callback 1/, () => press('c'));
    // oxlint-disable-next-line no-control-regex -- what the terminal gets
    const copied = /\u001b\]52;c;([^\u0007]+)\u0007/.exec(screen())?.[1] ?? '';
    expect(JSON.parse(Buffer.from(copied, 'base64').toString('utf8'))).toMatchObject({ id: 'precipitation_1' });
    press('q');
    expect(await closed).toEqual([0, null]);
  },
);
