import { ActionIcon, Menu, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Languages, SunMoon } from 'lucide-react';
import { LANGUAGES, useLanguage, useWords } from './language.js';
import { usePreferences } from './preferences.js';
import { LANGUAGE_NAMES, shellWords } from './shell-words.js';

export function LanguageMenu() {
  const words = useWords(shellWords);
  const { language } = useLanguage();
  const { choose } = usePreferences();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.language}>
          <Languages size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map((each) => (
          <Menu.Item
            key={each}
            lang={each}
            onClick={() => choose({ language: each })}
            fw={each === language ? 600 : 400}
            aria-current={each === language}
          >
            {LANGUAGE_NAMES[each]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function ThemeMenu() {
  const words = useWords(shellWords);
  const { colorScheme } = useMantineColorScheme();
  const { choose } = usePreferences();
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.theme}>
          <SunMoon size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown p="xs">
        <SegmentedControl
          aria-label={words.theme}
          value={colorScheme}
          onChange={(value) => choose({ theme: value as 'light' | 'dark' | 'auto' })}
          data={[
            { value: 'light', label: words.light },
            { value: 'dark', label: words.dark },
            { value: 'auto', label: words.auto },
          ]}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
