// `operator setup`: what the first pages of `--home` do, without a browser: an account if there is none, a monitor, and a test event.
import { createInterface } from 'node:readline/promises';
import type { Config } from '../config/config.ts';
import { createWebhookSecrets } from '../monitors/delivery/signing.ts';
import { newSecret } from '../secrets/random-text.ts';
import { optionsOf, type Product } from '../setup/products.ts';
import { type CallApi, createSetup, describeTest, parsePlace } from '../setup/set-up.ts';
import { StartError } from '../errors/start-error.ts';
import { refuse } from './account-commands.ts';
import { wrongUse } from './command-line.ts';
import type { Operation, Tools } from './operation.ts';

export const setUpHome: Operation = async ({ flags }, tools) => {
  const place = parsePlace(await valueOf(flags.place, 'place', 'Place (a town, or latitude and longitude)'));
  if (typeof place === 'string') throw wrongUse(`--place: ${place.replace(/\.$/, '')}`);
  const callback_uri = await valueOf(flags.callback, 'callback', 'URL that receives the events');
  const { payload = 'event', events = 'started,ended' } = flags;
  const owner = await ownerOf(flags.username, tools);
  const setup = createSetup({ ...tools, callApi: apiOf(tools.config) });
  const application = await setup.application(owner.id);
  const options = optionsOf(payload as Product['payload'], events);
  const id = await setup.addMonitor(application.id, { callback_uri, geo: place, ...options });
  const test = await setup.sendTest(application.id, id);
  const [webhookSecret = ''] = await createWebhookSecrets(tools).activeFor(application.id);
  const { clientId, clientSecret } = application;
  const { username, password } = owner;
  const lines = [
    `Monitor ${id}: ${place.lat}, ${place.lng} → ${callback_uri} (${payload === 'monitor' ? 'each hour of rain' : events})`,
    `Test event: ${describeTest(test)}${test.answer === '' ? '' : `: ${test.answer}`}`,
    ...(password === undefined ? [] : [`Website: sign in as ${username} with the password (shown once) ${password}`]),
    ...(clientSecret === undefined
      ? []
      : [
          `Webhook secret (shown once): ${webhookSecret}`,
          `Client ID: ${clientId}`,
          `Client secret (shown once): ${clientSecret}`,
        ]),
  ];
  const secrets = clientSecret === undefined ? {} : { clientSecret, webhookSecret };
  const data = { monitorId: id, test, clientId, ...secrets, ...(password === undefined ? {} : { username, password }) };
  return { data, text: lines.join('\n'), hasFailed: !test.isGood };
};

/** Asks for a missing value if someone sits at a terminal. */
async function valueOf(given: string | undefined, name: string, question: string): Promise<string> {
  if (given !== undefined) return given;
  if (!process.stdin.isTTY) throw wrongUse(`--${name} is missing`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`${question}: `);
  prompt.close();
  return answer.trim();
}

/** Without a name: the only account, or a new one with a random password if there is none. */
async function ownerOf(name: string | undefined, { oauth: { accounts } }: Tools) {
  if (name !== undefined) {
    const named = await accounts.findNamed(name);
    if (!named) refuse('There is no account with that name; "account list" lists all accounts.');
    if (named) return { ...named, password: undefined };
  }
  const [only, ...others] = (await accounts.list()).filter((account) => account.disabled_at === null);
  if (others.length > 0) throw wrongUse('--username is missing, and there are several accounts');
  if (only) return { ...only, password: undefined };
  const password = newSecret().slice(0, 24);
  const [username, email] = ['home', 'home@rainbell.invalid'];
  return {
    ...(await accounts.create({ username, email, password, isOperator: true, emailState: 'claimed' })),
    password,
  };
}

/** The running service checks the monitor and sends the event. */
function apiOf({ host, port }: Config): CallApi {
  const baseUrl = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  return async ({ method, path, token, body }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(baseUrl + path, request).catch((error: unknown) => {
      const advice = 'Start it with "npm run service -- --home", or set RAINBELL_HOST and RAINBELL_PORT to its values';
      throw new StartError('start', `The service does not respond at ${baseUrl}. ${advice}.`, { cause: error });
    });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
  };
}
