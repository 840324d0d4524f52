// "Running it for a team": services that share one PostgreSQL have one key for webhook secrets.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { newPostgres } from '#test/service/engines.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

const start = async (url: string, secretKey: string[] | undefined) => {
  let log = '';
  const parts = { log: pino({}, { write: (line: string) => void (log += line) }) };
  const service = await startOwnService({ databaseUrl: url, secretKey }, parts);
  await service.close();
  return log.includes('Set RAINBELL_SECRET_KEY');
};

it('a service on PostgreSQL without a key for webhook secrets says what to do, and is refused once another process has one', async () => {
  const url = await newPostgres();
  expect(await start(url, undefined)).toBe(true);
  expect(await start(url, ['sixteen letters and more'])).toBe(false);
  await expect(start(url, undefined)).rejects.toThrow('RAINBELL_SECRET_KEY is not set');
  await expect(start(url, ['another key of letters'])).rejects.toThrow('RAINBELL_SECRET_KEY is not the key');
  // As while the key is replaced.
  expect(await start(url, ['another key of letters', 'sixteen letters and more'])).toBe(false);
});
