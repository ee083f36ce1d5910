import { isScope, SCOPE_DESCRIPTIONS } from '../access/index.js';
import { escapeHtml, htmlPage } from '../platform/html/index.js';

export interface Consent {
  app: string;
  organization: string;
  email: string;
  /** Requested, and allowed by the person's role. */
  granted: readonly string[];
  /** Requested, but beyond the person's role. */
  withheld: readonly string[];
  csrfToken: string;
}

const wordsOf = (scopes: readonly string[]): string =>
  scopes
    .map((scope) => `<li>${escapeHtml(isScope(scope) ? SCOPE_DESCRIPTIONS[scope] : scope)}</li>`)
    .join('\n');

/** Describes the scopes an app requests. The form posts to the address of the page. */
export function consentPage(consent: Consent): string {
  const { granted, withheld } = consent;
  const app = `<strong>${escapeHtml(consent.app)}</strong>`;
  const organization = `<strong>${escapeHtml(consent.organization)}</strong>`;
  const asked =
    granted.length > 0
      ? `<p>${app} of ${organization} asks to do this in your name:</p>\n<ul>\n${wordsOf(granted)}\n</ul>`
      : `<p>${app} of ${organization} asks for something in your name that your role does not allow.</p>`;
  const cut =
    withheld.length > 0
      ? `<p>It also asked for this. Your role does not allow it, so it will not be granted:</p>\n<ul>\n${wordsOf(withheld)}\n</ul>`
      : '';
  const allow = granted.length > 0 ? '<button name="decision" value="allow">Allow</button>\n' : '';
  return htmlPage({
    title: 'Allow this app?',
    body: `${asked}
${cut}
<p class="note">You are signed in as ${escapeHtml(consent.email)}. The app can act for you for 30 days; never beyond what your role allows.</p>
<form method="post">
<input type="hidden" name="csrf" value="${escapeHtml(consent.csrfToken)}">
${allow}<button class="plain" name="decision" value="refuse">Refuse</button>
</form>`,
  });
}
