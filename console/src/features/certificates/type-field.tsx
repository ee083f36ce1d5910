import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useList, useResource } from '../../app/api.js';
import { dictionary, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import type { Certificate } from './certificate-columns.js';
import { offeredTypes } from './certificate-types.js';

type SubjectType = Certificate['subjectType'];

/** Types that most organizations use; others can be typed. */
const usualTypes = dictionary(
  {
    supplier: {
      business: 'business licence',
      distribution: 'distribution licence',
      manufacturing: 'manufacturing licence',
      authorization: 'letter of authorization',
    },
    product: { registration: 'registration', filing: 'filing certificate' },
    customer: {
      business: 'business licence',
      distribution: 'distribution licence',
      hospital: 'hospital licence',
    },
  },
  {
    supplier: {
      business: '营业执照',
      distribution: '医疗器械经营许可证',
      manufacturing: '医疗器械生产许可证',
      authorization: '授权书',
    },
    product: { registration: '医疗器械注册证', filing: '第一类医疗器械备案凭证' },
    customer: {
      business: '营业执照',
      distribution: '医疗器械经营许可证',
      hospital: '医疗机构执业许可证',
    },
  },
);

const LOOKED_AT = 200;

/** The types that certificates of these subjects have or usually have. */
export function useOfferedTypes(subjectTypes: readonly SubjectType[]): string[] {
  const usual = useWords(usualTypes);
  const may = useMay();
  const used = useList('/v2/certificates', {
    query: { subjectType: [...subjectTypes], limit: LOOKED_AT },
    enabled: may('certificates:read'),
  });
  const settings = useResource('/v2/settings', { enabled: may('settings:read') });
  return offeredTypes(
    (used.data?.pages[0]?.items ?? []).map(({ type }) => type),
    (settings.data?.demandedCertificates ?? [])
      .filter((each) => subjectTypes.includes(each.subjectType))
      .map(({ type }) => type),
    subjectTypes.flatMap((subjectType): string[] => Object.values(usual[subjectType])),
  );
}

/** The type of a certificate: a known one, filtered by typing, or any other. */
export function TypeField({ subjectType, ...field }: { subjectType: SubjectType } & AutocompleteProps) {
  return <Autocomplete data={useOfferedTypes([subjectType])} {...field} />;
}
