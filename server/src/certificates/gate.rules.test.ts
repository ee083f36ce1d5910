import { describe, expect, it } from 'vitest';
import { type GateCertificate, type GateFacts, judgeBy } from './gate.rules.js';

const TODAY = '2026-11-15';
const subject = { type: 'product' as const, code: 'P' };

const certificate = (certificateNo: string, changed: Partial<GateCertificate> = {}): GateCertificate => ({
  subjectType: 'product',
  subjectCode: 'P',
  type: 'registration',
  certificateNo,
  state: 'active',
  validFrom: '2020-01-01',
  validTo: '2026-11-14',
  supersededFrom: null,
  coverage: null,
  ...changed,
});
const messagesOf = (facts: Partial<GateFacts>) =>
  judgeBy(
    { demanded: [], certificates: [], products: [], ...facts },
    TODAY,
  )([subject]).map((issue) => issue.message);
const messages = (...certificates: GateCertificate[]) => messagesOf({ certificates });

describe('the gate names the certificate that is not in force', () => {
  it('a current one before one that was replaced or revoked, though that one ends later', () => {
    const closed = certificate('OLD', { state: 'revoked', validTo: '2030-01-01' });
    const expired = 'product P: registration NOW is expired since 2026-11-14';
    expect(messages(closed, certificate('NOW'))).toEqual([expired]);
    expect(messages(certificate('NOW'), closed)).toEqual([expired]);
    const suspended = certificate('NOW', { state: 'suspended' });
    expect(messages(closed, suspended)).toEqual(['product P: registration NOW is suspended']);
  });

  it('of several current ones that which ends last', () => {
    const soon = certificate('SOON', { validFrom: '2027-01-01', validTo: null });
    expect(messages(soon, certificate('PAST'))).toEqual([
      'product P: registration SOON is not_yet_valid before 2027-01-01',
    ]);
  });

  it('for each type by itself, and only for the subject and types that were asked for', () => {
    const inForce = certificate('LICENCE', { type: 'licence', validTo: TODAY });
    expect(messages(certificate('NOW'), inForce)).toHaveLength(1);
    const demanded = [
      { subjectType: 'product' as const, type: 'ce' },
      { subjectType: 'supplier' as const, type: 'iso13485' },
    ];
    expect(messagesOf({ certificates: [inForce], demanded })).toEqual([
      'product P: ce is required and not on record',
    ]);
  });
});
