import { type Issue, LotwardError } from '@lotward/client';
import { Alert, Button, Group, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { isUnreachable } from '../app/connection.js';
import { useLanguage, useWords } from '../app/language.js';
import { commonWords } from './everywhere-words.js';
import { explainIssue } from './explain-issue.js';

/** Explains a failure in the language of the page. */
export function useExplain(): (error: unknown) => string {
  const { language } = useLanguage();
  const { notReached } = useWords(commonWords);
  return (error) => {
    if (isUnreachable(error) || !(error instanceof LotwardError)) return notReached;
    const [issue] = error.errors;
    return issue ? explainIssue(issue, language) : error.message;
  };
}

/** Explains one issue, as for the field it is about. */
export function useExplainIssue(): (issue: Issue) => string {
  const { language } = useLanguage();
  return (issue) => explainIssue(issue, language);
}

/** The maximum number listed; more would hide the buttons below. */
const LISTED_MAX = 5;

/** All issues of a whole step, otherwise the first issue, because field issues are shown at their fields. */
function useExplainAll(): (error: unknown) => string[] {
  const { language } = useLanguage();
  const explain = useExplain();
  const { moreIssues } = useWords(commonWords);
  return (error) => {
    const ofStep = error instanceof LotwardError ? error.errors.filter(({ path }) => path === null) : [];
    if (ofStep.length < 2) return [explain(error)];
    const listed = ofStep.slice(0, LISTED_MAX).map((issue) => explainIssue(issue, language));
    return ofStep.length > LISTED_MAX ? [...listed, moreIssues(ofStep.length - LISTED_MAX)] : listed;
  };
}

/** Repeats a write that did not reach the service. Undefined if the service answered, because it would again. */
export const resending = <V,>(
  action: { error: unknown; variables: V | undefined; mutate: (value: V) => void },
  value: V | undefined = action.variables,
): (() => void) | undefined => (isUnreachable(action.error) ? () => action.mutate(value as V) : undefined);

/** An error shown instead of content or next to the button that failed; `action` is the label of the button. */
export function Problem({
  error,
  action,
  onRetry,
}: {
  error: unknown;
  action?: string;
  onRetry?: (() => void) | undefined;
}) {
  const words = useWords(commonWords);
  const explained = useExplainAll()(error);
  const requestId = error instanceof LotwardError ? error.requestId : null;
  const title = action === undefined ? words.loadFailed : words.couldNot(action);
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} />} title={title} role="alert">
      {explained.map((each) => (
        <Text key={each} size="sm">
          {each}
        </Text>
      ))}
      {requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          {words.requestId} {requestId}
        </Text>
      )}
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="light" color="red" onClick={onRetry}>
            {words.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
