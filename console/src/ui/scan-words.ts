import { dictionary } from '../app/language.js';

export const scanWords = dictionary(
  {
    scan: 'Scan or enter a code',
    scanHint: 'A scanner works anywhere on this page.',
    take: 'Take',
    unreadable: (why: string) => `This code cannot be read: ${why}`,
    noDevice: 'This code does not say which device it is.',
    unknown: (code: string) => `No product has the device identifier ${code}.`,
  },
  {
    scan: '扫描或输入条码',
    scanHint: '在本页任意位置均可扫码。',
    take: '录入',
    unreadable: (why: string) => `无法识读此条码：${why}`,
    noDevice: '此条码不含产品标识。',
    unknown: (code: string) => `没有产品标识为 ${code} 的产品。`,
  },
);
