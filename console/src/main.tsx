import './fonts/inter.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './console.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchNetwork } from './app/connection.js';
import { LanguageProvider } from './app/language.js';
import { LooksProvider } from './app/looks.js';
import { AllPages } from './app/pages.js';
import { queries } from './app/queries.js';
import { router } from './app/router.js';
import { allPages } from './features/index.js';
import { Messages } from './ui/messages.js';

const place = document.getElementById('root');
if (!place) throw new Error('the page has no element #root');
watchNetwork();
createRoot(place).render(
  <StrictMode>
    <LooksProvider>
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <Messages />
          <AllPages value={allPages}>
            <RouterProvider router={router} />
          </AllPages>
        </QueryClientProvider>
      </LanguageProvider>
    </LooksProvider>
  </StrictMode>,
);
