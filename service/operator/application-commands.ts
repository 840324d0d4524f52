// Applications on the operator's command line.
import { nameProblem, descriptionProblem } from '../accounts/account-rules.ts';
import { type Application, redirectUrisOf } from '../accounts/application-store.ts';
import { inHousePlanId, type PlanId } from '../accounts/plans.ts';
import { redirectsProblem } from '../accounts/redirect-rules.ts';
import { StartError } from '../errors/start-error.ts';
import { refuse } from './account-commands.ts';
import {
  type CommandResult,
  needed,
  type Operation,
  type OperatorCommand,
  type Tools,
  wrongUse,
} from './command-line.ts';

export const applicationCommands: Readonly<Record<string, Operation>> = {
  async create({ flags }, { oauth }) {
    const [ownerName, name] = [needed(flags, 'owner'), needed(flags, 'name')];
    const redirectUris = flags.redirect ?? [];
    const description = flags.description ?? name;
    refuse(nameProblem(name) ?? descriptionProblem(description) ?? redirectsProblem(redirectUris));
    const plan = knownPlan(oauth.plans, flags.plan ?? inHousePlanId);
    const owner = await oauth.accounts.findNamed(ownerName);
    if (!owner) throw new StartError('start', 'The owner has no account; create one first with "account create".');
    await oauth.contracts.ensure(owner.id, plan);
    const created = await oauth.applications.create({
      accountId: owner.id,
      plan,
      name,
      description,
      redirectUris,
      isPublic: flags.public === true,
      allowsPassword: flags['allow-password-grant'] === true,
      requiresPkce: flags['require-pkce'] === true,
    });
    return credentials(created.clientId, created.clientSecret);
  },

  async list(_command, { oauth }) {
    const applications = await oauth.applications.list();
    const lines = applications.map((one) => {
      const notes = [
        one.is_public === 1 ? 'public' : '',
        one.allows_password === 1 ? 'password grant' : '',
        one.requires_pkce === 1 ? 'requires PKCE' : '',
        one.disabled_at === null ? '' : 'disabled',
      ].filter((note) => note !== '');
      return [one.client_id, one.name, `owner: ${one.ownerName}`, `${one.plan} plan`, ...notes].join('  ');
    });
    return { data: applications.map(applicationData), text: lines.join('\n') || 'No applications.' };
  },

  disable: (command, tools) => setDisabled(command, tools, true),
  enable: (command, tools) => setDisabled(command, tools, false),

  async rotate(command, { oauth }) {
    const application = await named(command, oauth);
    if (application.is_public === 1) throw new StartError('start', 'A public client has no secret to rotate.');
    return credentials(application.client_id, await oauth.applications.renewSecret(application));
  },
};

async function setDisabled(command: OperatorCommand, { oauth }: Tools, isDisabled: boolean): Promise<CommandResult> {
  const application = await named(command, oauth);
  await oauth.applications.setDisabled(application, isDisabled);
  const words = `Application ${application.name} is ${isDisabled ? 'disabled' : 'enabled'}.`;
  return { data: { clientId: application.client_id, disabled: isDisabled }, text: words };
}

async function named({ target }: OperatorCommand, oauth: Tools['oauth']): Promise<Application> {
  if (target === undefined) throw wrongUse("The application's client ID is missing");
  const application = await oauth.applications.findByClientId(target);
  if (application) return application;
  throw new StartError(
    'start',
    'There is no application with that client ID; "application list" lists all applications.',
  );
}

function knownPlan(plans: Tools['oauth']['plans'], id: string): PlanId {
  const plan = plans.find((candidate) => candidate.id === id);
  if (plan) return plan.id;
  throw wrongUse(`--plan must be one of ${plans.map((candidate) => candidate.id).join(', ')}`);
}

/** The only time the secret is shown. */
function credentials(clientId: string, clientSecret: string | undefined): CommandResult {
  if (clientSecret === undefined)
    return { data: { clientId }, text: `client ID      ${clientId}\n(public: no secret)` };
  return {
    data: { clientId, clientSecret },
    text: `client ID      ${clientId}\nclient secret  ${clientSecret}\nStore the secret now; it isn't shown again.`,
  };
}

function applicationData(one: Application) {
  return {
    clientId: one.client_id,
    name: one.name,
    owner: one.ownerName,
    plan: one.plan,
    redirectUris: redirectUrisOf(one),
    public: one.is_public === 1,
    allowsPassword: one.allows_password === 1,
    requiresPkce: one.requires_pkce === 1,
    disabled: one.disabled_at !== null,
  };
}
