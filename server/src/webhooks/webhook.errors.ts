import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const webhookReasons = {
  callback_not_a_url: {
    kind: 'invalid',
    meaning: 'the callback URL cannot be read, or carries a user name, a password or a fragment',
    remedy: 'Give an absolute address such as https://partner.example/hooks.',
  },
  callback_not_https: {
    kind: 'invalid',
    meaning: 'the callback URL does not use HTTPS',
    remedy: 'Serve the callback over HTTPS. For development an operator can allow networks.',
  },
  callback_not_public: {
    kind: 'invalid',
    meaning: 'the callback URL does not lead to a public address',
    remedy: 'Use an address that can be reached from the public internet.',
  },
  bad_secret: {
    kind: 'invalid',
    meaning: 'after `whsec_` there must follow at least 16 bytes in base64',
    remedy:
      'Give a secret without that prefix, one made by a Standard Webhooks library, or none: one is made for you.',
  },
  too_many_webhooks: {
    kind: 'invalid',
    meaning: 'the organization has as many webhooks as it may have',
    remedy: 'Delete those no longer needed, or subscribe one webhook to several event types.',
  },
  not_subscribed: {
    kind: 'invalid',
    meaning: 'the webhook is not subscribed to this event type',
    remedy: 'Name one of its `eventTypes`, or none.',
  },
  webhook_disabled: {
    kind: 'invalid',
    meaning: 'the webhook is disabled and sends nothing',
    remedy: 'Enable it first.',
  },
  overlap_too_long: {
    kind: 'invalid',
    meaning: 'two secrets may be valid together for at most 7 days',
    remedy: 'Choose a shorter overlap.',
  },
} as const satisfies Reasons;

export const refuseWebhook = refusalOf(webhookReasons);
