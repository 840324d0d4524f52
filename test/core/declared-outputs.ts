// A client that fails if a procedure returns more or less than its contract declares. The app itself does not check what it returns
// (core/app/rpc-serving.ts), so a member that nobody declared, such as a secret, would reach the screen.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { noticeSchema } from '#contract/app-rpc/app.ts';
import { type AppClient, appContract } from '#contract/app-rpc/contract.ts';

type Call = (...input: unknown[]) => Promise<unknown>;
type Subjects<Member> = Record<string, Record<string, Member>>;

export function withDeclaredOutputs(client: AppClient): AppClient {
  const subjects = Object.entries(appContract as unknown as Subjects<{ '~orpc': { outputSchema: z.ZodType } }>);
  const checked = subjects.map(([subject, procedures]) => {
    const calls = Object.entries(procedures).map(([name, { '~orpc': declared }]): [string, Call] => [
      name,
      async (...input) => {
        const output = await (client as unknown as Subjects<Call>)[subject]![name]!(...input);
        if (name === 'notices') return declaredNotices(output as AsyncIterable<unknown>);
        expectDeclared(`${subject}.${name}`, declared.outputSchema, output);
        return output;
      },
    ]);
    return [subject, Object.fromEntries(calls)];
  });
  return Object.fromEntries(checked) as AppClient;
}

/** Throws if the schema finds the output wrong, or would leave something out of it or add something to it. */
function expectDeclared(procedure: string, schema: z.ZodType, output: unknown): void {
  const { success, data, error } = schema.safeParse(output);
  if (success && isDeepStrictEqual(data, output)) return;
  const reason = error?.message ?? `${JSON.stringify(output)} instead of ${JSON.stringify(data)}`;
  throw new Error(`${procedure} does not return what its contract declares: ${reason}`);
}

async function* declaredNotices(notices: AsyncIterable<unknown>) {
  for await (const notice of notices) {
    expectDeclared('app.notices', noticeSchema, notice);
    yield notice;
  }
}
