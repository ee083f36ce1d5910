import { LotwardError } from '@lotward/client';
import { Button, Group } from '@mantine/core';
import { CloudOff, Lock, SearchX, TriangleAlert } from 'lucide-react';
import { type ComponentType, lazy, type ReactNode, useEffect, useRef } from 'react';
import { CopyText } from '../ui/copy.js';
import { Empty } from '../ui/empty.js';
import { commonWords } from '../ui/everywhere-words.js';
import { ButtonLink } from '../ui/links.js';
import { useExplain } from '../ui/problem.js';
import { useScopeName } from '../ui/scope-names.js';
import { checkConnection, useIsAway } from './connection.js';
import { useWords } from './language.js';
import { useSession } from './session.js';

/** The code of a page could not be fetched. */
class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/** A component whose code is fetched when it is first shown. */
export const loadable = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() =>
    load().catch((cause: unknown) => {
      throw new PageNotLoaded('the code of the page could not be loaded', { cause });
    }),
  );

/** Shown within the frame instead of a page that failed: the reason, and what to do next. */
export function Broken({ error, reset }: { error: unknown; reset: () => void }): ReactNode {
  const words = useWords(commonWords);
  const explain = useExplain();
  const isAway = useIsAway();
  const isUnloaded = error instanceof PageNotLoaded;
  const isWaiting = isUnloaded && isAway;
  useEffect(() => {
    if (isUnloaded) checkConnection();
  }, [isUnloaded]);
  const hasWaited = useRef(false);
  useEffect(() => {
    // The service is reachable again. A browser does not refetch code that failed to load, so the page is reloaded.
    if (hasWaited.current && !isWaiting) location.reload();
    hasWaited.current = isWaiting;
  }, [isWaiting]);
  const retry = () => {
    // Loading failed although the service is reachable, because a new version has replaced this one.
    if (isUnloaded) location.reload();
    else reset();
  };
  if (isWaiting) return <Empty isPage title={words.notLoaded} hint={words.notLoadedAway} icon={CloudOff} />;
  const isAnswer = error instanceof LotwardError;
  const details = isAnswer ? error.requestId : isUnloaded ? null : String(error);
  const hint = isAnswer ? explain(error) : isUnloaded ? words.notLoadedHint : words.brokenHint;
  return (
    <Empty isPage title={isUnloaded ? words.notLoaded : words.broken} hint={hint} icon={TriangleAlert}>
      {details && <CopyText text={details} label={isAnswer ? words.requestId : words.technical} />}
      <Ways onRetry={retry} />
    </Empty>
  );
}

function Ways({ onRetry }: { onRetry?: () => void }) {
  const words = useWords(commonWords);
  return (
    <Group mt="xs" justify="center">
      {onRetry && <Button onClick={onRetry}>{words.retry}</Button>}
      <ButtonLink to="/" variant="light">
        {words.backToOverview}
      </ButtonLink>
    </Group>
  );
}

/** For a URL without a page. */
export function NotFound(): ReactNode {
  const words = useWords(commonWords);
  return (
    <Empty isPage title={words.notFound} hint={words.notFoundHint} icon={SearchX}>
      <Ways />
    </Empty>
  );
}

/** For a page that the person may not see: names the missing permission and who can grant it. */
export function NotAllowed({ scope }: { scope: string }): ReactNode {
  const words = useWords(commonWords);
  const { organization } = useSession();
  const hint = words.notAllowedHint(useScopeName()(scope), scope, organization.name);
  return (
    <Empty isPage title={words.notAllowed} hint={hint} icon={Lock}>
      <Ways />
    </Empty>
  );
}
