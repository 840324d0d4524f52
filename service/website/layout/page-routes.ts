// Adds pages and forms to the website. A form's POST either redirects with a success message or shows the form again with a warning
// and all input except passwords.
import { html, isSafeHtml, type SafeHtml } from '@remix-run/html-template';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account-store.ts';
import type { Application } from '../../accounts/application-store.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type Form, readForm } from '../../oauth/form-body.ts';
import { isWarningId, type NoticeId, type SuccessId, type WarningId } from './feedback.ts';
import { type FormOptions, showForm } from './fields.ts';
import { FormError, SignInNeeded } from './form-error.ts';
import { page, type PageOptions } from './page.ts';
import { formOf, sendPage } from './site.ts';
import { checkFormOrigin, type Visitor } from './visitor.ts';
import type { Website } from '../website.ts';

/** Input of a view. `form` is empty on a first visit. */
export type View = {
  visitor: Visitor;
  csrf: string;
  form: Form;
  problems: Readonly<Record<string, string>>;
  canRegister: boolean;
  address: string;
  path: string;
  /** The `:id` of the path, or '' if it has none. */
  id: string;
  query: URLSearchParams;
};
export type OwnView = View & { account: Account };

/** Where to redirect after a successful form, and the message to show there. */
type Outcome = { goTo: string; feedback?: SuccessId | NoticeId | WarningId };
/** A form may also respond with a page directly, for a secret that is shown only once and can be copied. */
type Shown = { show: Content; feedback?: SuccessId; /** Signed in by this form. */ visitor?: Visitor };

/** A page that is one form, sent to its own path if it has no other action; without a button only text. */
export type Card = Partial<Omit<FormOptions, 'look'>> & {
  /** If it is not the page's. */
  title?: string;
  above?: SafeHtml;
  text?: SafeHtml | string;
  below?: SafeHtml;
};
type Content = SafeHtml | Card;

type Described = { path: string; title: string } & Pick<PageOptions, 'width' | 'hasScript'>;
type Page<Given = View> = Described & { view(view: Given): Content | Promise<Content> };
type Submission = { request: FastifyRequest; reply: FastifyReply };
type FormPage<Given = View> = Page<Given> & { submit(view: Given, submission: Submission): Promise<Outcome | Shown> };
/** A button on another page: only a POST. A warning is then shown on a separate page. */
type OwnAction = { path: string; submit(view: OwnView, submission: Submission): Promise<Outcome> };

export type PageRoutes = ReturnType<typeof createPageRoutes>;

type Dependencies = Website & {
  canRegister: boolean;
  bannerOf: (account: Account) => Promise<SafeHtml>;
};

export function createPageRoutes(scope: FastifyInstance, dependencies: Dependencies) {
  const { visitors, applications, baseUrl, log, config, canRegister, bannerOf } = dependencies;
  const origin = new URL(baseUrl).origin;

  async function viewOf(request: FastifyRequest, form = readForm('')): Promise<View> {
    const visitor = await visitors.read(request);
    const { id = '' } = request.params as { id?: string };
    const [path = '', query] = request.url.split('?');
    const shared = { visitor, csrf: visitor.csrf, form, problems: {}, canRegister, address: request.ip, id };
    return { ...shared, path: path.replace(/\/?$/, '/'), query: new URLSearchParams(query) };
  }

  async function show(
    reply: FastifyReply,
    { path, title, hasScript, ...described }: Described,
    view: View,
    shown: Content,
    feedback: PageOptions['feedback'],
  ): Promise<FastifyReply> {
    const { account, csrf } = view.visitor;
    const banner = account ? await bannerOf(account) : undefined;
    const isCard = !isSafeHtml(shown);
    const content = isCard ? showCard(view, { title, ...shown }) : shown;
    const width = isCard ? 'narrow' : described.width;
    const section = `/${path.split('/')[1] ?? ''}/`;
    const { isHome } = config;
    const parts = { title, content, account, csrf, canRegister, isHome, feedback, banner, section, width, hasScript };
    return sendPage(reply, page(parts), { hasScript });
  }

  function get(page_: Page): void {
    scope.get(page_.path, async (request, reply) => {
      const view = await viewOf(request);
      return show(reply, page_, view, await page_.view(view), visitors.takeFeedback(request, reply));
    });
  }

  async function showWarning(reply: FastifyReply, page_: Page, view: View, error: unknown): Promise<FastifyReply> {
    if (!(error instanceof FormError)) throw error;
    if (error.cause !== undefined) log.error({ err: error.cause, form: page_.path }, 'a form could not be saved');
    reply.code(error.feedback === 'form_corrupted' ? 403 : 422);
    const again = { ...view, problems: error.fields };
    return show(reply, page_, again, await page_.view(again), error.feedback);
  }

  function finish(reply: FastifyReply, { goTo, feedback }: Outcome): FastifyReply {
    if (feedback !== undefined) visitors.leaveFeedback(reply, feedback);
    return reply.redirect(goTo, 303);
  }

  function form(page_: FormPage): void {
    get(page_);
    scope.post(page_.path, async (request, reply) => {
      const view = await viewOf(request, formOf(request));
      try {
        checkFormOrigin(request, view.visitor, view.form, origin);
        const result = await page_.submit(view, { request, reply });
        if ('goTo' in result) return finish(reply, result);
        const { show: content, feedback, ...changes } = result;
        return await show(reply, { ...page_, hasScript: true }, { ...view, ...changes }, content, feedback);
      } catch (error) {
        return showWarning(reply, page_, view, error);
      }
    });
  }

  return {
    page: get,
    form,
    /** The application of the path. Throws 404 if it is missing or owned by another account. */
    async application({ account, id }: OwnView): Promise<Application> {
      const application = await applications.find(account.id, id);
      if (application) return application;
      throw new ServiceError('not_found', 'Application not found. It may have been deleted.');
    },
    ownFile({ path, text }: { path: string; text(view: OwnView): Promise<string> }) {
      scope.get(path, async (request, reply) => {
        const content = await text(owned(await viewOf(request)));
        return reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment').send(content);
      });
    },
    ownPage: (page_: Page<OwnView>) => get({ ...page_, view: (view) => page_.view(owned(view)) }),
    ownForm: (page_: FormPage<OwnView>) =>
      form({
        ...page_,
        view: (view) => page_.view(owned(view)),
        submit: (view, submission) => page_.submit(owned(view), submission),
      }),
    ownAction({ path, submit }: OwnAction) {
      scope.post(path, async (request, reply) => {
        const view = await viewOf(request, formOf(request));
        checkFormOrigin(request, view.visitor, view.form, origin);
        return finish(reply, await submit(owned(view), { request, reply }));
      });
    },
  };
}

function showCard(view: View, { title, above, text, below, button, ...form }: Card): SafeHtml {
  return html`<section class="card">
    <h1>${title}</h1>
    ${above} ${text === undefined ? '' : html`<p class="muted">${text}</p>`}
    ${button === undefined ? '' : showForm(view, { action: view.path, look: 'primary wide', ...form, button })} ${below}
  </section>`;
}

export function owned(view: View): OwnView {
  const { account } = view.visitor;
  if (!account) throw new SignInNeeded();
  return { ...view, account };
}

/** Runs a write. A rejection that is one of the site's warnings becomes that one, an internal error `feedback`. */
export async function orWarn<T>(feedback: WarningId, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreRefusal && isWarningId(error.kind)) throw new FormError(error.kind);
    if (error instanceof FormError || error instanceof ServiceError) throw error;
    throw new FormError(feedback, {}, { cause: error });
  }
}
