// `operator setup`: what the first pages of `--home` do, without a browser: an account if there is none, a monitor, and a test event.
import type { Config } from '../config/config.ts';
import { createWebhookSecrets } from '../monitors/delivery/signing.ts';
import { newSecret } from '../secrets/random-text.ts';
import { optionsOf, type Product } from '../setup/products.ts';
import { createSetup, describePlace, describeTest, homeAccount, parsePlace } from '../setup/set-up.ts';
import type { SendToApi } from '../oauth/call-api.ts';
import { StartError } from '../errors/start-error.ts';
import { refuse } from './account-commands.ts';
import { needed, type Operation, type Tools, wrongUse } from './command-line.ts';

export const setUpHome: Operation = async ({ flags }, tools) => {
  const place = parsePlace(needed(flags, 'place'));
  if (typeof place === 'string') throw wrongUse(`--place: ${place.replace(/\.$/, '')}`);
  const callback_uri = needed(flags, 'callback');
  const { payload = 'event', events = 'started,ended' } = flags;
  const owner = await ownerOf(flags.username, tools);
  const setup = createSetup({ ...tools, send: sendTo(tools.config) });
  const application = await setup.application(owner.id);
  const options = optionsOf(payload as Product['payload'], events);
  const { id } = await setup.addMonitor(application.id, { callback_uri, geo: place, ...options });
  const test = await setup.sendTest(application.id, id);
  const [webhookSecret = ''] = await createWebhookSecrets(tools).activeFor(application.id);
  const { clientId, clientSecret } = application;
  const { username, password } = owner;
  const lines = [
    `Monitor ${id}: ${describePlace(place)} → ${callback_uri} (${payload === 'monitor' ? 'each hour of rain' : events})`,
    `Test event: ${describeTest(test)}${test.answer === '' ? '' : `: ${test.answer}`}`,
    ...(password === undefined ? [] : [`Website: sign in as ${username} with the password (shown once) ${password}`]),
  ];
  if (clientSecret !== undefined)
    lines.push(
      `Webhook secret (shown once): ${webhookSecret}`,
      `Client ID: ${clientId}`,
      `Client secret (shown once): ${clientSecret}`,
    );
  const secrets = clientSecret === undefined ? {} : { clientSecret, webhookSecret };
  const data = { monitorId: id, test, clientId, ...secrets, ...(password === undefined ? {} : { username, password }) };
  return { data, text: lines.join('\n'), hasFailed: !test.isGood };
};

/** Without a name: the only account, or a new one with a random password if there is none. */
async function ownerOf(name: string | undefined, { oauth: { accounts } }: Tools) {
  const enabled = (await accounts.list()).filter(({ disabled_at }) => disabled_at === null);
  const owner = name === undefined ? enabled[0] : await accounts.findNamed(name);
  if (name === undefined && enabled.length > 1) throw wrongUse('--username is missing, and there are several accounts');
  if (name !== undefined && !owner) refuse('There is no account with that name; "account list" lists all accounts.');
  if (owner) return { ...owner, password: undefined };
  const password = newSecret().slice(0, 24);
  return { ...(await accounts.create(homeAccount('home', password))), password };
}

/** The running service checks the monitor and sends the event. */
function sendTo({ host, port }: Config): SendToApi {
  const baseUrl = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  return async ({ method, path, body }, headers) => {
    const request = { method, headers, ...(body !== undefined && { body }) };
    const answer = await fetch(baseUrl + path, request).catch((error: unknown) => {
      const advice = 'Start it with "npm run service -- --home", or set RAINBELL_HOST and RAINBELL_PORT to its values';
      throw new StartError('start', `The service does not respond at ${baseUrl}. ${advice}.`, { cause: error });
    });
    return { statusCode: answer.status, statusMessage: answer.statusText, body: await answer.text() };
  };
}
