import { dictionary } from './language.js';

export const shellWords = dictionary(
  {
    menu: 'Menu',
    main: 'Main menu',
    skip: 'Skip to content',
    groups: {
      overview: 'Overview',
      operations: 'Operations',
      goods: 'Stock and catalogue',
      assurance: 'Quality',
      system: 'Settings',
    },
    language: 'Language',
    theme: 'Appearance',
    light: 'Light',
    dark: 'Dark',
    auto: 'System',
    account: 'Your account',
    signOut: 'Sign out',
    signedOut: 'You are signed out.',
    organizations: 'Switch organization',
    switched: (organization: string) => `You are now working in ${organization}.`,
    apiReference: 'API reference',
    documentation: 'Documentation',
  },
  {
    menu: '菜单',
    main: '主菜单',
    skip: '跳至正文',
    groups: {
      overview: '概览',
      operations: '业务',
      goods: '库存与商品',
      assurance: '质量',
      system: '系统设置',
    },
    language: '语言',
    theme: '外观',
    light: '浅色',
    dark: '深色',
    auto: '跟随系统',
    account: '我的账户',
    signOut: '退出登录',
    signedOut: '您已退出登录。',
    organizations: '切换企业',
    switched: (organization: string) => `已切换至${organization}。`,
    apiReference: 'API 参考',
    documentation: '文档',
  },
);

export const LANGUAGE_NAMES = { en: 'English', 'zh-CN': '简体中文' } as const;
