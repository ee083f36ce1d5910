import { escapeHtml, htmlPage } from '../../platform/html/index.js';
import type { Membership } from '../membership.store.js';
import type { TotpSetup } from './second-factor.js';

/** The hidden fields of every form. */
export interface FormFacts {
  csrf: string;
  returnTo: string;
  /** Why the previous step was refused. */
  problem?: string | undefined;
}

const form = (
  { csrf, returnTo }: FormFacts,
  step: string,
  inner: string,
): string => `<form method="post" action="/sign-in">
<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">
<input type="hidden" name="return" value="${escapeHtml(returnTo)}">
<input type="hidden" name="step" value="${step}">
${inner}
</form>`;

const problemOf = ({ problem }: FormFacts): string =>
  problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>\n`;

const startOver = (facts: FormFacts): string =>
  form(facts, 'leave', '<button class="plain">Sign in as somebody else</button>');

const codeField =
  '<input id="code" name="code" autocomplete="one-time-code" required autofocus maxlength="40">';

export const passwordPage = (facts: FormFacts): string =>
  htmlPage({
    title: 'Sign in',
    body:
      problemOf(facts) +
      form(
        facts,
        'password',
        `<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus maxlength="254">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024">
<button>Sign in</button>`,
      ),
  });

export const codePage = (facts: FormFacts): string =>
  htmlPage({
    title: 'Second factor',
    body: `${problemOf(facts)}${form(
      facts,
      'code',
      `<label for="code">Code from your authenticator app, or a recovery code</label>
${codeField}
<button>Continue</button>`,
    )}
${startOver(facts)}`,
  });

/** For a signed-in person who switches to another of their organizations. */
export const organizationPage = (
  facts: FormFacts,
  email: string,
  organizations: readonly Pick<Membership, 'orgCode' | 'orgName'>[],
): string =>
  htmlPage({
    title: 'Choose an organization',
    body: `${problemOf(facts)}<p>You are signed in as ${escapeHtml(email)}. Continue in:</p>
${form(
  facts,
  'organization',
  organizations
    .map(
      ({ orgCode, orgName }) =>
        `<button name="organization" value="${escapeHtml(orgCode)}">${escapeHtml(orgName)}</button>`,
    )
    .join('\n'),
)}
${startOver(facts)}`,
  });

/** Without `setup`, the page offers to begin it. */
export const enrolmentPage = (facts: FormFacts, setup: TotpSetup | null): string =>
  htmlPage({
    title: 'Set up a second factor',
    body: `${problemOf(facts)}<p>Administrators sign in with a code from an authenticator app besides their password.</p>
${
  setup === null
    ? form(facts, 'begin', '<button>Set it up</button>')
    : `<p>Enter this key in your app, or <a href="${escapeHtml(setup.otpauthUri)}">open it there</a>:</p>
<p><code>${escapeHtml((setup.secret.match(/.{1,4}/g) ?? []).join(' '))}</code></p>
${form(facts, 'confirm', `<label for="code">The code it shows now</label>\n${codeField}\n<button>Continue</button>`)}`
}
${startOver(facts)}`,
  });

export const recoveryCodesPage = (codes: readonly string[], returnTo: string): string =>
  htmlPage({
    title: 'Keep these recovery codes',
    body: `<p>Each lets you in once when you do not have your app. They are not shown again.</p>
<ul>
${codes.map((code) => `<li><code>${escapeHtml(code)}</code></li>`).join('\n')}
</ul>
<p><a href="${escapeHtml(returnTo)}">Continue</a></p>`,
  });
