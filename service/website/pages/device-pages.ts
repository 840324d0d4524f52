// The page where the user of a device without a browser enters its code and approves or denies the request (RFC 8628 section 3.3).
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application, ApplicationStore } from '#service/accounts/application-store.ts';
import { createLimiter, type Fleet } from '#service/limits/limiter.ts';
import { networkOf, rateLimited } from '#service/limits/throttle.ts';
import { type DeviceRequests, verificationPath, type WaitingDevice } from '#service/oauth/device-requests.ts';
import { permissionList, who } from '#service/website/dialog/dialog-pages.ts';
import { hidden, textField } from '#service/website/layout/fields.ts';
import { foreign } from '#service/website/layout/foreign.ts';
import { FormError } from '#service/website/layout/form-error.ts';
import type { OwnView, PageRoutes } from '#service/website/layout/page-routes.ts';

type Dependencies = {
  fleet?: Fleet;
  applications: Pick<ApplicationStore, 'findActive'>;
  deviceRequests: Pick<DeviceRequests, 'find' | 'answer'>;
};

/** A code has 20^8 values and lives 15 minutes, so this prevents guessing. */
const guessLimit = { name: 'device code', max: 20, windowSeconds: 600 };

export function registerDevicePages(routes: PageRoutes, needs: Dependencies): void {
  const { applications, deviceRequests } = needs;
  const guesses = createLimiter(guessLimit, needs.fleet);

  /** Wrong codes count for the account and for the client's network. */
  async function findDevice(typed: string, keys: readonly string[]): Promise<WaitingDevice | undefined> {
    const left = await Promise.all(keys.map((key) => guesses.left(key)));
    const spent = left.find(({ count }) => count === 0);
    if (spent) throw rateLimited('Too many wrong codes', spent.seconds);
    const device = await deviceRequests.find(typed);
    if (!device) await Promise.all(keys.map((key) => guesses.take(key)));
    return device;
  }

  routes.ownForm({
    path: verificationPath.replace(/\/$/, ''),
    title: 'Connect a device',
    width: 'narrow',
    view: codeForm,
    async submit(view, { request }) {
      const { account, form } = view;
      const typed = form.get('user_code')?.trim() ?? '';
      const device = await findDevice(typed, [`account ${account.id}`, networkOf(request.ip)]);
      const application = device && (await applications.findActive(device.clientId));
      if (!device || !application) throw new FormError('data_problem', { user_code: wrongCode });
      const decision = form.get('decision');
      if (decision !== 'approve' && decision !== 'deny') return { show: question(view, device, application) };
      const isAllowed = decision === 'approve';
      const isAnswered = await deviceRequests.answer(device, isAllowed ? account : null);
      if (!isAnswered) throw new FormError('data_problem', { user_code: wrongCode });
      return { show: isAllowed ? connected(application) : denied(application) };
    },
  });
}

const wrongCode =
  'This code is incorrect, has already been used, or has expired. Check it, or start again on the device.';

function codeForm({ csrf, form, query, problems }: OwnView): SafeHtml {
  return html`<section class="card">
    <h1>Connect a device</h1>
    <p class="muted">Enter the code shown by the device or program.</p>
    <form method="post" action="${verificationPath}">
      ${hidden('csrf', csrf)}
      ${textField({
        name: 'user_code',
        label: 'Code',
        value: (form.get('user_code') ?? query.get('user_code') ?? '').slice(0, 40),
        hint: '8 letters, such as WDJB-MJHT.',
        problems,
        isFocused: true,
      })}
      <button class="primary wide" type="submit">Continue</button>
    </form>
  </section>`;
}

function question({ account, csrf }: OwnView, { userCode, scope }: WaitingDevice, application: Application): SafeHtml {
  return html`<section class="card dialog">
    ${who(application)}
    <h1>Allow ${foreign(application.name)}?</h1>
    <p class="muted">
      By <strong>${foreign(application.ownerName)}</strong>. Its description: ${foreign(application.description)}
    </p>
    <div class="note">
      <p>
        Allow this request only if you started it yourself and your device shows <strong>${userCode}</strong>. If
        someone else sent you this code, choose Deny. Otherwise, they could act on your behalf.
      </p>
    </div>
    <h2>Requested permissions</h2>
    ${scope.length === 0 ? html`<p>Read weather data. Nothing else is requested.</p>` : permissionList(scope)}
    <p class="muted">
      The application doesn't receive your password and can't change your account. You can revoke its permissions on
      your account page.
    </p>
    <form method="post" action="${verificationPath}" class="decision">
      ${hidden('csrf', csrf)} ${hidden('user_code', userCode)}
      <button class="primary" type="submit" name="decision" value="approve">Allow</button>
      <button type="submit" name="decision" value="deny">Deny</button>
    </form>
    <p class="returning">
      <span>Signed in as <strong>${account.username}</strong></span>
    </p>
  </section>`;
}

function connected({ name }: Application): SafeHtml {
  return html`<section class="card center">
    <h1>Device connected</h1>
    <p>${foreign(name)} on your device will continue within a few seconds. You can close this page.</p>
    <p class="actions"><a href="/account/">Revoke permissions</a></p>
  </section>`;
}

function denied({ name }: Application): SafeHtml {
  return html`<section class="card center">
    <h1>Access denied</h1>
    <p>${foreign(name)} wasn't granted access. You can close this page.</p>
  </section>`;
}
