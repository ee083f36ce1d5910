import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ClipboardList, Pencil } from 'lucide-react';
import { useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { CopyText } from '../../ui/copy.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ButtonLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { CertificatesOf } from './certificates-of.js';
import type { Partner } from './partner.types.js';
import { PartnerForm } from './partner-form.js';
import { partnerWords } from './partner-words.js';

export default function PartnerPage() {
  const words = useWords(partnerWords);
  const common = useWords(commonWords);
  const code = useParam('partnerCode');
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  const query = useResource('/v2/partners/{code}', { path: { code } });
  return (
    <Page
      title={query.data?.name ?? code}
      above={{ to: '/partners', name: words.partners }}
      actions={
        query.data && (
          <>
            {query.data.roles.includes('customer') && may('orders:read') && (
              <ButtonLink
                to="/orders"
                search={{ customerCode: code }}
                variant="default"
                leftSection={<ClipboardList size={16} />}
              >
                {words.orders}
              </ButtonLink>
            )}
            {may('products:write') && (
              <Button variant="default" leftSection={<Pencil size={16} />} onClick={open}>
                {common.edit}
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/partners' }}>
        {(partner) => (
          <Stack>
            <PartnerFacts partner={partner} />
            {partner.addresses.length > 0 && <Addresses addresses={partner.addresses} />}
            {may('certificates:read') && <CertificatesOf subjectCode={partner.code} />}
            <PartnerForm partner={partner} opened={opened} onClose={close} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function PartnerFacts({ partner }: { partner: Partner }) {
  const words = useWords(partnerWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const { language } = useLanguage();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Panel title={words.facts}>
        <Facts
          facts={[
            [words.code, <CopyText key="code" text={partner.code} label={words.code} />],
            [words.roles, partner.roles.map((role) => words.roleNames[role]).join(' · ')],
            [common.status, <StatusBadge key="status" status={partner.status} />],
            // Only Chinese companies have one, and only Chinese readers look for it.
            ...(partner.registrationCode === null && language === 'en'
              ? []
              : ([[words.registrationCode, partner.registrationCode ?? NOTHING]] as const)),
            [words.gln, partner.gln ?? NOTHING],
            [words.updatedAt, format.instant(partner.updatedAt)],
          ]}
        />
      </Panel>
      <Panel title={words.contact}>
        <Facts
          facts={[
            [words.contactName, partner.contact?.name ?? NOTHING],
            [words.email, partner.contact?.email ?? NOTHING],
            [words.phone, partner.contact?.phone ?? NOTHING],
            [words.address, partner.contact?.address ?? NOTHING],
          ]}
        />
      </Panel>
    </SimpleGrid>
  );
}

function Addresses({ addresses }: Pick<Partner, 'addresses'>) {
  const words = useWords(partnerWords);
  return (
    <Panel title={words.addresses}>
      <Facts
        facts={addresses.map(({ code, name, address, contact, gln }) => [
          code,
          [name, address, contact, gln && `${words.gln} ${gln}`].filter(Boolean).join(' · '),
        ])}
      />
    </Panel>
  );
}
