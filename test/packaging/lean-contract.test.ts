// Bundles build of the contract only what is used (scripts/lean-contract.mjs): inputs are still checked.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFileSync } from 'node:fs';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { leanContract } from '#scripts/lean-contract.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

type Schema = { '~standard': { validate: (value: unknown) => { value?: unknown; issues?: { path: string[] }[] } } };
type Procedure = { '~orpc': { inputSchema: Schema; outputSchema?: Schema; errorMap: object } };

it('a bundle checks inputs, and has no schemas of outputs', async () => {
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [leanContract],
    ssr: { noExternal: true },
    build: { ssr: join(projectFolder, 'contract/app-rpc/contract.ts'), write: false },
  })) as Rolldown.RolldownOutput;
  const file = join(temporaryFolder(), 'contract.mjs');
  writeFileSync(file, output[0].code);
  const { appContract } = (await import(pathToFileURL(file).href)) as {
    appContract: Record<string, Record<string, Procedure>>;
  };
  const { inputSchema, outputSchema, errorMap } = appContract['callbacks']!['list']!['~orpc'];
  expect(inputSchema['~standard'].validate({})).toEqual({ value: { limit: 100 } });
  expect(inputSchema['~standard'].validate({ limit: 501 }).issues).toMatchObject([{ path: ['limit'] }]);
  expect(outputSchema).toBeUndefined();
  expect(errorMap).toHaveProperty('INVALID_INPUT');
  expect(output[0].code).not.toContain('appStatusSchema');
});
