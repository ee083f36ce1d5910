import type { DigestAlert, DigestBatch, DigestCertificate, DigestContent, Listed } from './digest-content.js';

const plural = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

function left(daysRemaining: number): string {
  if (daysRemaining < 0) return `expired ${plural(-daysRemaining, 'day')} ago`;
  return daysRemaining === 0 ? 'last day today' : `${plural(daysRemaining, 'day')} left`;
}

const certificateLine = (c: DigestCertificate) =>
  `${c.validTo}  ${left(c.daysRemaining)}  ${c.type} ${c.certificateNo} of ${c.subject}`;

const batchLine = (b: DigestBatch) =>
  `${b.expiryDate}  ${left(b.daysRemaining)}  ${b.productName} (${b.productCode}), batch ${b.batchNo || 'without number'}: ${b.quantity}`;

function alertLine(a: DigestAlert): string {
  const unit = a.metric === 'temperature' ? ' °C' : ' %';
  const limits = `${a.lowerLimit ?? '…'} to ${a.upperLimit ?? '…'}${unit}`;
  const seen = a.acknowledged ? 'acknowledged' : 'NOT acknowledged';
  return `since ${a.startedAt.toISOString()}  ${a.pointName} in ${a.warehouse}: ${a.lastValue}${unit} (${limits}), ${seen}`;
}

function section<T>(title: string, { items, total }: Listed<T>, line: (item: T) => string): string[] {
  if (total === 0) return [];
  const more = total > items.length ? [`  and ${total - items.length} more`] : [];
  return [`${title} (${total})`, ...items.map((item) => `  ${line(item)}`), ...more, ''];
}

/** The digest mail of one day; null when there is nothing to report. */
export function writeDigest(
  { certificates, batches, alerts }: DigestContent,
  { day, consoleUrl }: { day: string; consoleUrl: string },
): { subject: string; text: string } | null {
  const counts = [
    ...(alerts.total > 0 ? [plural(alerts.total, 'open alert')] : []),
    ...(certificates.total > 0 ? [plural(certificates.total, 'certificate')] : []),
    ...(batches.total > 0 ? [`${batches.total} near expiry`] : []),
  ];
  if (counts.length === 0) return null;
  return {
    subject: `Lotward on ${day}: ${counts.join(', ')}`,
    text: [
      ...section('Open environment alerts', alerts, alertLine),
      ...section(
        'Certificates that expire within 30 days, or did in the last 30',
        certificates,
        certificateLine,
      ),
      ...section('Batches in stock near expiry', batches, batchLine),
      `More: ${consoleUrl}`,
      'You get this e-mail because the daily digest is switched on for you.',
      '',
    ].join('\n'),
  };
}
