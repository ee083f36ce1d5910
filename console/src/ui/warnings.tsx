import { Alert, type AlertProps, Text } from '@mantine/core';
import { useExplainIssue } from './problem.js';

/** Issues that the certificate check let through. */
export function Warnings({
  title,
  warnings,
  ...looks
}: { title: string; warnings: readonly { reason: string; message: string }[] } & Pick<AlertProps, 'mt'>) {
  const explain = useExplainIssue();
  if (warnings.length === 0) return null;
  return (
    <Alert color="orange" title={title} {...looks}>
      {warnings.map((warning) => (
        <Text key={warning.message} size="sm">
          {explain({ path: null, ...warning })}
        </Text>
      ))}
    </Alert>
  );
}
