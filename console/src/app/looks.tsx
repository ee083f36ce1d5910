import { MantineProvider } from '@mantine/core';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { DENSITIES, type Density, themes } from './theme.js';

const KEPT_AS = 'lotward.density';

interface Choice {
  density: Density;
  chooseDensity(density: Density): void;
}
const Chosen = createContext<Choice>({ density: 'comfortable', chooseDensity: () => {} });

/** The density stored in this browser, used until the person is known, whose own the service stores. */
function kept(): Density {
  const found = DENSITIES.find((each) => each === localStorage.getItem(KEPT_AS));
  return found ?? 'comfortable';
}

/** The theme, in the chosen density. */
export function LooksProvider({ children }: { children: ReactNode }) {
  const [density, setDensity] = useState(kept);
  const choice = useMemo(
    () => ({
      density,
      chooseDensity(next: Density) {
        localStorage.setItem(KEPT_AS, next);
        setDensity(next);
      },
    }),
    [density],
  );
  return (
    <MantineProvider theme={themes[density]} defaultColorScheme="auto">
      <Chosen value={choice}>{children}</Chosen>
    </MantineProvider>
  );
}

export const useDensity = (): Choice => useContext(Chosen);
