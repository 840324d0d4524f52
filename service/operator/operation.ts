// Input and output of an operator command.
import type { Clock } from '@rainbell/shared';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { SecretSeal } from '../secrets/secret-seal.ts';
import type { OAuth } from '../oauth/create-oauth.ts';
import type { OperatorCommand } from './command-line.ts';

export type Tools = {
  config: Config;
  clock: Clock;
  db: Db;
  engine: Database['engine'];
  oauth: OAuth;
  outbox: Outbox;
  seal: SecretSeal;
  /** The first line of the standard input, without its end. */
  readLine(): Promise<string>;
};

/** `data` for `--json`, `text` for users. */
export type CommandResult = { data: unknown; text: string; /** The exit code is 1. */ hasFailed?: boolean };
export type Operation = (command: OperatorCommand, tools: Tools) => Promise<CommandResult>;
