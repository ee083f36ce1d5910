import { Alert, Button, FileButton, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { ExternalLink, Pencil, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api, useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { recordPath } from '../../app/record-path.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { CopyText } from '../../ui/copy.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { type Certificate, useLeftText } from './certificate-columns.js';
import { EditForm, RenewForm } from './certificate-form.js';
import { typeName } from './certificate-types.js';
import { certificateWords } from './certificate-words.js';
import { CoverageHistory, CoverageText } from './coverage.js';
import { coverageWords } from './coverage-words.js';
import { FilePanel } from './file-panel.js';
import { fingerprintOf, isSameFingerprint } from './fingerprint.js';

export default function CertificatePage() {
  const words = useWords(certificateWords);
  const certificateId = useParam('certificateId');
  const certificate = useResource('/v2/certificates/{certificateId}', { path: { certificateId } });
  const may = useMay();
  return (
    <Page
      title={certificate.data?.certificateNo ?? words.certificate}
      above={{ to: '/certificates', name: words.certificates }}
      actions={
        certificate.data && may('certificates:write') && <CertificateActions certificate={certificate.data} />
      }
    >
      <Loaded query={certificate} missing={{ title: words.notFound, to: '/certificates' }}>
        {(data) => (
          <Stack>
            <Panel>
              <CertificateFacts certificate={data} />
            </Panel>
            <CoverageHistory changes={data.coverageHistory} />
            <FilePanel certificate={data} />
            <DocumentPanel certificate={data} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function CertificateActions({ certificate }: { certificate: Certificate }) {
  const words = useWords(certificateWords);
  const common = useWords(commonWords);
  const navigate = useNavigate();
  const [editing, edit] = useDisclosure();
  const [renewing, renew] = useDisclosure();
  const { status } = certificate;
  const isOver = status === 'revoked' || status === 'superseded';
  if (isOver) return null;
  return (
    <>
      <Button leftSection={<RefreshCw size={16} />} onClick={renew.open}>
        {words.renew}
      </Button>
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={edit.open}>
        {common.edit}
      </Button>
      <StateActions certificate={certificate} />
      <EditForm certificate={certificate} opened={editing} onClose={edit.close} />
      <RenewForm
        certificate={certificate}
        opened={renewing}
        onClose={renew.close}
        onDone={({ certificateId }) =>
          navigate({ to: '/certificates/$certificateId', params: { certificateId } })
        }
      />
    </>
  );
}

function StateActions({ certificate }: { certificate: Certificate }) {
  const words = useWords(certificateWords);
  const path = { certificateId: certificate.certificateId };
  return (
    <>
      {certificate.status === 'suspended' ? (
        <AskedButton
          key="reinstate"
          label={words.reinstate}
          question={words.reinstateQuestion}
          reason="optional"
          run={(reason) =>
            api.post('/v2/certificates/{certificateId}/reinstate', { path, body: { reason: reason || null } })
          }
          done={words.reinstated}
        />
      ) : (
        <AskedButton
          key="suspend"
          label={words.suspend}
          question={words.suspendQuestion}
          reason="required"
          run={(reason) => api.post('/v2/certificates/{certificateId}/suspend', { path, body: { reason } })}
          done={words.suspended}
        />
      )}
      <AskedButton
        label={words.revoke}
        question={words.revokeQuestion}
        reason="required"
        danger
        run={(reason) => api.post('/v2/certificates/{certificateId}/revoke', { path, body: { reason } })}
        done={words.revoked}
      />
    </>
  );
}

/** Country codes by name; any other text unchanged. */
const regionName = (region: string | null, language: string): string =>
  region !== null && /^[A-Z]{2}$/.test(region)
    ? (new Intl.DisplayNames(language, { type: 'region' }).of(region) ?? region)
    : (region ?? NOTHING);

function CertificateFacts({ certificate }: { certificate: Certificate }) {
  const words = useWords(certificateWords);
  const common = useWords(commonWords);
  const { coverage } = useWords(coverageWords);
  const format = useFormat();
  const { language } = useLanguage();
  const personName = usePersonName();
  const leftText = useLeftText();
  const { subjectType, subjectCode, supersededBy, statusReason } = certificate;
  const subjectPath =
    recordPath(subjectType === 'product' ? 'product' : 'partner', subjectCode) ?? '/partners';
  return (
    <Facts
      facts={[
        [common.status, <StatusBadge key="status" status={certificate.status} />],
        ...(statusReason ? [[words.why, statusReason] as const] : []),
        ...(supersededBy
          ? [
              [
                words.supersededBy,
                <PageLink
                  key="newer"
                  to="/certificates/$certificateId"
                  params={{ certificateId: supersededBy }}
                >
                  {words.newer}
                </PageLink>,
              ] as const,
            ]
          : []),
        [words.type, typeName(certificate.type)],
        [
          words.subjectTypes[subjectType],
          <PageLink key="subject" to={subjectPath}>
            {certificate.subjectName} · {subjectCode}
          </PageLink>,
        ],
        [words.issuer, certificate.issuer],
        [words.jurisdiction, regionName(certificate.jurisdiction, language)],
        [words.scope, certificate.scope ?? format.day(null)],
        // A certificate of a product without entries covers that product.
        ...(subjectType === 'product' && certificate.coverage === null
          ? []
          : [[coverage, <CoverageText key="coverage" coverage={certificate.coverage} />] as const]),
        [words.issuedOn, format.day(certificate.issuedOn)],
        [words.validFrom, format.day(certificate.validFrom)],
        [words.validTo, certificate.validTo ? format.day(certificate.validTo) : words.noEnd],
        ...(certificate.daysRemaining === null
          ? []
          : [[words.remaining, leftText(certificate.daysRemaining)] as const]),
        [
          words.entered,
          words.enteredBy(personName(certificate.createdBy), format.instant(certificate.createdAt)),
        ],
      ]}
    />
  );
}

function DocumentPanel({ certificate }: { certificate: Certificate }) {
  const words = useWords(certificateWords);
  const { documentUrl, documentHash } = certificate;
  const [isSame, setSame] = useState<boolean | null>(null);
  if (!documentUrl && !documentHash) return null;
  return (
    <Panel title={words.document} hint={words.documentHint}>
      <Stack gap="sm">
        {documentHash && <CopyText text={documentHash} label={words.documentHash} />}
        <Group>
          {documentUrl && (
            <Button
              component="a"
              href={documentUrl}
              target="_blank"
              rel="noreferrer"
              variant="default"
              leftSection={<ExternalLink size={16} />}
            >
              {words.openDocument}
            </Button>
          )}
          {documentHash && (
            <FileButton
              onChange={async (file) =>
                setSame(file && isSameFingerprint(await fingerprintOf(file), documentHash))
              }
            >
              {(props) => (
                <Button variant="default" {...props}>
                  {words.checkFile}
                </Button>
              )}
            </FileButton>
          )}
        </Group>
        {isSame !== null && (
          <Alert color={isSame ? 'teal' : 'red'} role="status">
            {isSame ? words.sameFile : words.otherFile}
          </Alert>
        )}
      </Stack>
    </Panel>
  );
}
