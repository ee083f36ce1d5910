import {
  Button,
  createTheme,
  Input,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';
import { MISSING_CHINESE } from '../fonts/chinese.js';

/** The blue-green of the brand: 7 is readable on white, 4 on the dark background. */
const ward: MantineColorsTuple = [
  '#e8f7f6',
  '#d0eeec',
  '#a3dcda',
  '#6fc8c6',
  '#43b5b4',
  '#219d9e',
  '#0e8286',
  '#086e74',
  '#065f66',
  '#044a50',
];

/** Slate with a hint of the brand's hue, so that backgrounds, lines and text match it. */
const gray: MantineColorsTuple = [
  '#f6f8f8',
  '#eef2f2',
  '#e1e8e8',
  '#d0d9da',
  '#b3bfc1',
  '#92a1a4',
  '#708185',
  '#4f6064',
  '#33434a',
  '#1c282d',
];
const dark: MantineColorsTuple = [
  '#d3dcde',
  '#a9b6b9',
  '#8a999d',
  '#56666b',
  '#334146',
  '#253136',
  '#1d272b',
  '#151d20',
  '#10171a',
  '#0b1012',
];

/** System fonts first; the bundled one comes last, so that it is fetched only if none of them is installed. */
const CHINESE =
  "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC', 'Noto Sans SC Variable'";

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** Everything that depends on the density: the spacing, never the size of text. */
const ROOM: Readonly<
  Record<Density, { spacing: MantineThemeOverride['spacing']; field: string; row: number }>
> = {
  comfortable: {
    spacing: { xs: '0.625rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
    field: '2.25rem',
    row: 9,
  },
  compact: {
    spacing: { xs: '0.375rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
    field: '1.875rem',
    row: 4,
  },
};

function themeOf(density: Density): MantineThemeOverride {
  const { spacing, field, row } = ROOM[density];
  return createTheme({
    primaryColor: 'ward',
    primaryShade: { light: 7, dark: 6 },
    colors: { ward, gray, dark },
    white: '#fff',
    black: '#172227',
    autoContrast: true,
    fontFamily: `'Inter Variable', ${CHINESE}, system-ui, sans-serif, '${MISSING_CHINESE}'`,
    fontFamilyMonospace: `ui-monospace, SFMono-Regular, Menlo, Consolas, monospace, ${CHINESE}, '${MISSING_CHINESE}'`,
    // A scale of 1.125 around 14 pixels, with enough line height for small text.
    fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.1875rem' },
    lineHeights: { xs: '1.45', sm: '1.5', md: '1.55', lg: '1.5', xl: '1.4' },
    headings: {
      fontWeight: '640',
      sizes: {
        h1: { fontSize: '1.4375rem', lineHeight: '1.3' },
        h2: { fontSize: '1rem', lineHeight: '1.4' },
        h3: { fontSize: '0.875rem', lineHeight: '1.45' },
      },
    },
    radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
    defaultRadius: 'md',
    shadows: {
      xs: '0 1px 2px rgb(12 40 45 / 6%)',
      sm: '0 1px 3px rgb(12 40 45 / 8%)',
      md: '0 4px 12px rgb(12 40 45 / 12%)',
      lg: '0 10px 28px rgb(12 40 45 / 14%)',
      xl: '0 20px 48px rgb(12 40 45 / 18%)',
    },
    spacing,
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      // Only for the default size: a small one stays small.
      Input: Input.extend({
        vars: (_theme, { size = 'sm' }) => ({ wrapper: size === 'sm' ? { '--input-height': field } : {} }),
      }),
      Button: Button.extend({
        vars: (_theme, { size = 'sm' }) => ({ root: size === 'sm' ? { '--button-height': field } : {} }),
      }),
      Table: { defaultProps: { verticalSpacing: row } },
      Badge: { defaultProps: { radius: 'sm' } },
    },
  });
}

export const themes: Readonly<Record<Density, MantineThemeOverride>> = {
  comfortable: themeOf('comfortable'),
  compact: themeOf('compact'),
};
