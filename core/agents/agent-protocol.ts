// What `rainbell mcp` and the running app say to each other: lines of JSON over a TCP connection on this machine. The first line has the
// token of `agents.json` in the data folder, which only its user can read.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { agentActionSchema, appErrorCodes } from '@rainbell/contract/app-rpc';

const addressSchema = z.object({ port: z.number().int(), token: z.string() });
/** Where the app of a data folder listens for agents. */
export type AgentServerAddress = z.infer<typeof addressSchema>;

export const helloSchema = z.object({ token: z.string().max(200), agent: z.string().max(200) });

export const maxLineLength = 256 * 1024;
/** Of a response; the tools limit what they ask for. */
export const maxReplyLength = 4 * 1024 * 1024;

export const agentRequestSchema = z.object({
  id: z.number().int(),
  request: z.discriminatedUnion('method', [
    z.object({
      method: z.literal('callbacks'),
      query: z.string().max(2000),
      beforeId: z.number().int().optional(),
      limit: z.number().int().min(1).max(100),
    }),
    z.object({ method: z.literal('callback'), callbackId: z.number().int() }),
    z.object({ method: z.literal('forecast'), lat: z.number(), lng: z.number() }),
    z.object({ method: z.literal('monitors') }),
    z.object({ method: z.literal('explain'), monitorId: z.string().max(200) }),
    z.object({ method: z.literal('propose'), action: agentActionSchema }),
    /** Ends an earlier request of this connection. */
    z.object({ method: z.literal('cancel'), requestId: z.number().int() }),
  ]),
});
export type AgentRequest = z.infer<typeof agentRequestSchema>['request'];

export const agentReplySchema = z.object({
  id: z.number().int(),
  result: z.unknown().optional(),
  error: z.object({ code: z.enum(appErrorCodes), message: z.string() }).optional(),
});

const fileOf = (dataFolder: string) => join(dataFolder, 'agents.json');

export function writeServerAddress(dataFolder: string, address: AgentServerAddress): void {
  const file = fileOf(dataFolder);
  writeFileSync(`${file}.new`, `${JSON.stringify(address)}\n`, { mode: 0o600 });
  // The mode above counts for a new file only.
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

export function removeServerAddress(dataFolder: string): void {
  rmSync(fileOf(dataFolder), { force: true });
}

/** Undefined if no app wrote it. It may have ended since. */
export function readServerAddress(dataFolder: string): AgentServerAddress | undefined {
  try {
    return addressSchema.parse(JSON.parse(readFileSync(fileOf(dataFolder), 'utf8')));
  } catch {
    return undefined;
  }
}
