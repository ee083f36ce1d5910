import { dictionary } from '../language.js';

export const shortcutWords = dictionary(
  {
    title: 'Keyboard shortcuts',
    search: 'Search, or go to a page',
    sheet: 'Show this list',
    close: 'Close a window',
    goTo: 'Go to a page',
    next: 'then',
    scans: 'A scanner works on every page, without a key or a click.',
  },
  {
    title: '键盘快捷键',
    search: '搜索或打开页面',
    sheet: '显示此列表',
    close: '关闭窗口',
    goTo: '打开页面',
    next: '然后',
    scans: '在任何页面都可直接扫码，无需按键或点击。',
  },
);
