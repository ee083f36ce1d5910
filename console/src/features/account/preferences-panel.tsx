import { SegmentedControl, Select, SimpleGrid, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useContext, useMemo } from 'react';
import { LANGUAGES, useLanguage, useWords } from '../../app/language.js';
import { useDensity } from '../../app/looks.js';
import { AllPages, isMenuPage } from '../../app/pages.js';
import { type Preferences, usePreferences } from '../../app/preferences.js';
import { useMay } from '../../app/session.js';
import { LANGUAGE_NAMES, shellWords } from '../../app/shell-words.js';
import { DENSITIES } from '../../app/theme.js';
import { shownZone } from '../../app/zone.js';
import { Panel } from '../../ui/page.js';
import { preferenceWords } from './preference-words.js';

/** The person's settings of the console. Each choice applies immediately and is stored with the person. */
export function PreferencesPanel() {
  const words = useWords(preferenceWords);
  const shell = useWords(shellWords);
  const { language } = useLanguage();
  const { colorScheme } = useMantineColorScheme();
  const { density } = useDensity();
  const { choose } = usePreferences();
  return (
    <Panel title={words.title} hint={words.hint}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Choice
            label={shell.language}
            value={language}
            data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
            onChange={(value) => choose({ language: value as Preferences['language'] })}
          />
          <Choice
            label={shell.theme}
            value={colorScheme}
            data={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: shell[value] }))}
            onChange={(value) => choose({ theme: value as Preferences['theme'] })}
          />
          <Choice
            label={words.density}
            value={density}
            data={DENSITIES.map((value) => ({ value, label: words[value] }))}
            onChange={(value) => choose({ density: value as Preferences['density'] })}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ZoneChoice />
          <HomeChoice />
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}

function Choice({
  label,
  ...props
}: {
  label: string;
  value: string;
  data: { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4} aria-hidden>
        {label}
      </Text>
      <SegmentedControl aria-label={label} fullWidth {...props} />
    </div>
  );
}

function ZoneChoice() {
  const words = useWords(preferenceWords);
  const { preferences, choose } = usePreferences();
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  return (
    <Select
      label={words.timeZone}
      description={words.timeZoneHint(shownZone())}
      placeholder={words.browserZone}
      data={zones}
      searchable
      clearable
      limit={100}
      clearButtonProps={{ 'aria-label': words.browserZone }}
      value={preferences.timeZone}
      onChange={(timeZone) => choose({ timeZone })}
    />
  );
}

function HomeChoice() {
  const words = useWords(preferenceWords);
  const { language } = useLanguage();
  const may = useMay();
  const { preferences, choose } = usePreferences();
  const pages = useContext(AllPages)
    .filter(isMenuPage)
    .filter(({ scope }) => scope === undefined || may(scope));
  return (
    <Select
      label={words.homePage}
      description={words.homePageHint}
      data={pages.map(({ path, menu }) => ({ value: path, label: menu.name[language].name }))}
      searchable
      allowDeselect={false}
      value={preferences.homePage ?? '/'}
      onChange={(homePage) => choose({ homePage: homePage === '/' ? null : homePage })}
    />
  );
}
