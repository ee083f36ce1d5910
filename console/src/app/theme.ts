import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** A green blue that is readable on white and on dark. */
const ward: MantineColorsTuple = [
  '#e6fafa',
  '#d3f1f2',
  '#a6e2e4',
  '#75d2d6',
  '#4fc5ca',
  '#37bdc2',
  '#13868d',
  '#0b747b',
  '#056a71',
  '#005b61',
];

/** System fonts first; the bundled one comes last, so that it is fetched only if none of them is installed. */
const CHINESE =
  "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Source Han Sans SC', 'Noto Sans SC Variable'";

export const theme = createTheme({
  primaryColor: 'ward',
  primaryShade: { light: 7, dark: 6 },
  colors: { ward },
  autoContrast: true,
  fontFamily: `'Inter Variable', ${CHINESE}, system-ui, sans-serif`,
  fontFamilyMonospace: `ui-monospace, SFMono-Regular, Menlo, Consolas, monospace, ${CHINESE}`,
  defaultRadius: 'md',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.15rem' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
});
