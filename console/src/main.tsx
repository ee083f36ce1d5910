import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { LotwardError } from '@lotward/client';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LanguageProvider } from './app/language.js';
import { router } from './app/router.js';
import { theme } from './app/theme.js';

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
  queryCache: new QueryCache({
    onError(error, query) {
      // The session ended meanwhile: whoever sits here signs in again, where they were.
      if (error instanceof LotwardError && error.status === 401 && query.queryKey[0] !== 'session')
        queries.invalidateQueries({ queryKey: ['session'] });
    },
  }),
});

const place = document.getElementById('root');
if (!place) throw new Error('the page has no place for the console');
createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <Notifications position="top-right" />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
