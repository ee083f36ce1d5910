import { Stepper, Text, useMatches } from '@mantine/core';
import { X } from 'lucide-react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Person } from '../../ui/person.js';
import { dispositionWords } from './disposition-words.js';
import type { Disposition } from './quality.types.js';

interface Step {
  name: string;
  /** Null if not done yet. */
  who: string | null;
  at: string | null;
  witness?: string | null;
  isRejection?: boolean;
}

function useSteps(disposition: Disposition): Step[] {
  const words = useWords(dispositionWords);
  const { status, proposedBy, approvedBy, executedBy, rejectedBy } = disposition;
  const proposed = { name: words.proposedBy, who: proposedBy, at: disposition.proposedAt };
  const approved = { name: words.approvedBy, who: approvedBy, at: disposition.approvedAt };
  if (status === 'rejected')
    return [
      proposed,
      ...(approvedBy === null ? [] : [approved]),
      { name: words.rejectedBy, who: rejectedBy, at: disposition.rejectedAt, isRejection: true },
    ];
  return [
    proposed,
    approved,
    { name: words.executedBy, who: executedBy, at: disposition.executedAt, witness: disposition.witness },
  ];
}

/** The progress of a disposition, with the person of each step. */
export function DispositionSteps({ disposition }: { disposition: Disposition }) {
  const words = useWords(dispositionWords);
  const format = useFormat();
  const orientation = useMatches({ base: 'vertical', md: 'horizontal' } as const);
  const steps = useSteps(disposition);
  const done = steps.filter(({ who }) => who !== null).length;
  return (
    <Stepper active={done} orientation={orientation} size="sm" aria-label={words.people}>
      {steps.map(({ name, who, at, witness, isRejection }) => (
        <Stepper.Step
          key={name}
          allowStepSelect={false}
          label={name}
          {...(isRejection ? { color: 'red', completedIcon: <X size={16} aria-hidden /> } : {})}
          description={
            <>
              <Text component="span" display="block" size="sm" style={{ overflowWrap: 'anywhere' }}>
                {who === null ? words.notYet : <Person email={who} />}
              </Text>
              {at && (
                <Text component="span" display="block" size="xs">
                  {format.instant(at)}
                </Text>
              )}
              {witness && (
                <Text component="span" display="block" size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {words.witnessed(witness)}
                </Text>
              )}
            </>
          }
        />
      ))}
    </Stepper>
  );
}
