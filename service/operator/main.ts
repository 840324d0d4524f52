// `npm run operator`: manages a service's accounts, applications, tokens, and emails in its database while it runs. Exit code 2 for
// a wrong command line, 1 for a failed command.
import { statSync } from 'node:fs';
import { pino } from 'pino';
import { notUnicode, printable, printableLines, systemClock, systemCode } from '@rainbell/shared';
import { databasesIn, describeReports, readFirstLine, userName } from '@rainbell/shared/node';
import { createSecretSeal } from '../secrets/secret-seal.ts';
import { databaseLocation, readInvocation, serviceFolder } from '../config/config.ts';
import { createDatabaseClock, readServerTime } from '../database/database-clock.ts';
import { openServiceDatabase } from '../app/open-service-database.ts';
import { createOutbox } from '../mail/outbox.ts';
import { createOAuth } from '../oauth/create-oauth.ts';
import { ServiceError } from '../errors/service-error.ts';
import { describeFailure, StartError } from '../errors/start-error.ts';
import { accountCommands } from './account-commands.ts';
import { applicationCommands } from './application-commands.ts';
import {
  type CommandResult,
  helpText,
  type Operation,
  type OperatorCommand,
  readCommand,
  wrongUse,
} from './command-line.ts';
import { setUpHome } from './setup-command.ts';
import { eventCommands, keyCommands, outboxCommands } from './other-commands.ts';

const commands: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  account: accountCommands,
  application: applicationCommands,
  events: eventCommands,
  outbox: outboxCommands,
  keys: keyCommands,
  setup: { '': setUpHome },
};

async function run(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  const { help, json } = command.flags;
  if (help === true || command.subject === '') {
    process.stdout.write(helpText);
    return;
  }
  const operation = findOperation(command);
  const result = await withService(command, operation);
  process.stdout.write(`${printableLines(json === true ? JSON.stringify(result.data) : result.text)}\n`);
  if (result.hasFailed === true) process.exitCode = 1;
}

function findOperation({ subject, verb }: OperatorCommand): Operation {
  const verbs = Object.hasOwn(commands, subject) ? commands[subject] : undefined;
  const operation = verbs && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (operation) return operation;
  throw wrongUse(`Unknown command "${`${subject} ${verb}`.trim()}"`);
}

async function withService(command: OperatorCommand, operation: Operation): Promise<CommandResult> {
  const { data, database } = command.flags;
  const flags = [
    ...(data === undefined ? [] : ['--data', data]),
    ...(database === undefined ? [] : ['--database', database]),
  ];
  const invocation = readInvocation(flags, process.env);
  if (invocation.kind === 'help') throw wrongUse('The command is missing');
  const { config } = invocation;
  const folder = serviceFolder(config);
  if (config.databaseUrl === undefined && !statSync(folder, { throwIfNoEntry: false }))
    throw new StartError('settings', `There is no database in ${folder}. Check --data, or start the service first.`);
  const log = pino({ name: 'rainbell-operator', level: 'info' }, process.stderr);
  const opened = await openServiceDatabase({
    ...databaseLocation({ ...config, databaseWaitSeconds: 0 }),
    clock: systemClock,
    log,
  });
  const { db } = opened;
  // As the service does: with several machines, only the database's clock is that of all.
  const shared =
    opened.engine === 'postgres'
      ? await createDatabaseClock({ machineClock: systemClock, readServerTime: () => readServerTime(db), log })
      : undefined;
  const clock = shared ?? systemClock;
  try {
    const oauth = createOAuth({ config, clock, machineClock: systemClock, log, db });
    const outbox = createOutbox({ db, clock, fleet: opened.engine === 'postgres' ? db : undefined });
    const seal = createSecretSeal({ ...config, folder });
    // On stderr, so that the result on stdout stays as it is.
    for (const words of describeReports(databasesIn(config.dataFolder))) process.stderr.write(`${words}\n`);
    const tools = { config, clock, db, engine: opened.engine, oauth, outbox, seal, readLine };
    const result = await operation(command, tools);
    const { subject, verb, target, flags: given } = command;
    if (!readsOnly.has(verb) || subject === 'events') {
      const actor = userName() ?? 'unknown';
      const about = target ?? given.username ?? given.owner ?? '';
      log.info({ actor, action: `${subject} ${verb}`.trim(), target: about }, 'operator command');
    }
    return result;
  } finally {
    shared?.close();
    await opened.close();
  }
}

/** Commands that change nothing are not logged, except looks at a customer's events. */
const readsOnly = new Set(['list', 'check']);

async function readLine(): Promise<string> {
  const line = await readFirstLine(process.stdin);
  if (!line) throw new StartError('start', 'Standard input is empty; pipe one line into this command.');
  if (line.isAnsi) throw new StartError('start', `Standard input ${notUnicode}`);
  return line.text;
}

// `| head` closes the pipe before everything is written.
process.stderr.on('error', () => {});
process.stdout.on('error', (error) => {
  if (systemCode(error) === 'EPIPE') return;
  process.stderr.write(`error: the output is incomplete: ${error.message}\n`);
  process.exitCode = 1;
});
// Not awaited: in the bundle, what is imported later waits for this module to end.
run().catch((error: unknown) => {
  const words = error instanceof ServiceError ? error.message : describeFailure(error, 'The command failed');
  process.stderr.write(`error: ${printable(words)}\n`);
  process.exitCode = error instanceof StartError && error.kind === 'settings' ? 2 : 1;
});
