import type { Issue } from '@lotward/client';
import type { Language } from '../app/language.js';
import { certificateFacts } from './certificate-facts.js';
import { reasonsInChinese } from './reasons.js';
import { scopeName } from './scope-names.js';

/** Texts for reasons whose own message addresses a program, not a person. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  credential_missing: 'Your session has ended. Sign in to continue.',
  credential_invalid: 'Your session has ended. Sign in to continue.',
  sign_in_refused: 'Wrong e-mail or password.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  required: 'This field is required.',
  version_mismatch:
    'Someone else has changed this since you opened it, so nothing was saved. Note what you entered, or keep it as a draft, close this window and open it again.',
  bad_item_count: 'Choose at least one, and no more than allowed.',
};

/** The problem and its remedy, in the language of the page. */
export function explainIssue(issue: Issue, language: Language): string {
  if (issue.reason === 'scope_missing') return explainScope(issue, language);
  if (language !== 'zh-CN') return FOR_PEOPLE[issue.reason] ?? asSentence(issue.message);
  const text = reasonsInChinese[issue.reason];
  if (text === undefined) return issue.message;
  const facts = factsInChinese(issue);
  return facts === null ? text : `${text.slice(0, -1)}：${facts}。`;
}

/** The missing permission, and who can grant it. The service's message contains the scope. */
function explainScope({ message }: Issue, language: Language): string {
  const scope = /\b[a-z]+:[a-z]+\b/.exec(message)?.[0];
  const name = scope === undefined ? null : scopeName(scope, language);
  if (language === 'zh-CN')
    return name === null
      ? (reasonsInChinese.scope_missing ?? '')
      : `您没有执行此操作的权限。需要“${name}”（${scope}），请联系管理员开通。`;
  return name === null
    ? 'You do not have permission for this action. An administrator of your organization can grant it.'
    : `You do not have permission for this action. It needs “${name}” (${scope}), which an administrator of your organization can grant.`;
}

/** The service's messages begin in lower case if they continue a sentence. */
const asSentence = (message: string): string => {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
};

/** The facts in the English message that decide what to do: line, product, warehouse, quantity. */
function factsInChinese(issue: Issue): string | null {
  const { reason, message } = issue;
  if (reason === 'certificate_not_in_force' || reason === 'certificate_does_not_cover')
    return certificateFacts(issue);
  if (reason !== 'insufficient_stock') return null;
  const line = /\bline (\d+)/i.exec(message)?.[1];
  const short = /(\d+) of (\S+)/.exec(message);
  const warehouse = /\bin ([A-Z0-9][\w.-]*)/.exec(message)?.[1]?.replace(/\.$/, '');
  if (short)
    return [
      line === undefined ? '' : `第 ${line} 行`,
      `产品 ${short[2]}`,
      warehouse === undefined ? '' : `仓库 ${warehouse}`,
      `缺 ${short[1]} 件`,
    ]
      .filter((each) => each !== '')
      .join('，');
  const only = /\bonly (\d+)/i.exec(message)?.[1];
  return only === undefined ? null : `仅有 ${only} 件`;
}
