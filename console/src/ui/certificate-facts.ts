import type { Issue } from '@lotward/client';

const SUBJECTS: Readonly<Record<string, string>> = { supplier: '供应商', customer: '客户', product: '产品' };

const STATUSES: Readonly<Record<string, string>> = {
  expired: '已过期',
  not_yet_valid: '尚未生效',
  suspended: '已停用',
  revoked: '已吊销',
  superseded: '已换证',
};

const TRAITS: Readonly<Record<string, string>> = {
  'no risk class': '无管理类别',
  'class I': '第一类',
  'class II': '第二类',
  'class III': '第三类',
  'no category': '无分类',
  implantable: '植入',
  sterile: '无菌',
  'cold chain': '冷链',
};

/** Extracts the subject, the certificate and the problem from the English message of the certificate check. */
export function certificateFacts({ message }: Issue): string | null {
  const [, type = '', code, rest = ''] = /^(supplier|customer|product) (.+?): (.+)$/.exec(message) ?? [];
  const subject = SUBJECTS[type];
  if (subject === undefined) return null;
  const facts = coverageFacts(rest) ?? validityFacts(rest);
  return facts === null ? null : `${subject} ${code} 的 ${facts}`;
}

function coverageFacts(rest: string): string | null {
  const [, certificates, product, traits = ''] =
    /^(.+) do(?:es)? not cover product (.+?) \((.*)\)$/.exec(rest) ?? [];
  if (certificates === undefined) return null;
  const described = traits
    .split(', ')
    .map((each) => TRAITS[each] ?? each.replace(/^category /, '分类 '))
    .join('，');
  return `${certificates.replace(/ and (\d+) more$/, ' 等')}，产品 ${product}（${described}）`;
}

function validityFacts(rest: string): string | null {
  const [, missing] = /^(.+) is required and not on record$/.exec(rest) ?? [];
  if (missing !== undefined) return `${missing} 为必备证照，尚未登记`;
  const [, certificate, status = '', , day] = /^(.+) is (\w+)(?: (since|before) (\S+))?$/.exec(rest) ?? [];
  const known = STATUSES[status];
  if (known === undefined) return null;
  return `${certificate} ${known}${day === undefined ? '' : `（${day}）`}`;
}
