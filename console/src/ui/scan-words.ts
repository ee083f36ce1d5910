import { dictionary } from '../app/language.js';

export const scanWords = dictionary(
  {
    scan: 'Scan or enter a code',
    scanHint: 'A scanner works anywhere on this page.',
    take: 'Take',
    unreadable: (why: string) => `This code cannot be read: ${why}`,
    noDevice: 'This code does not say which device it is.',
    unknown: (code: string) => `No product has the device identifier ${code}.`,
    unused: 'This page does not use scanned codes.',
    covered: 'Code not counted: a window is open. Close it, then scan again.',
    unended: 'The end of this code is missing. Set the scanner to end each code with Enter or Tab.',
    signInFirst: 'Sign in, then scan again.',
    trace: 'Trace this code',
  },
  {
    scan: '扫描或输入条码',
    scanHint: '在本页任意位置均可扫码。',
    take: '录入',
    unreadable: (why: string) => `无法识读此条码：${why}`,
    noDevice: '此条码不含产品标识。',
    unknown: (code: string) => `没有产品标识为 ${code} 的产品。`,
    unused: '本页面不支持扫码。',
    covered: '本次扫码未计入：请先关闭弹窗，再重新扫描。',
    unended: '条码缺少结束符。请将扫码枪的后缀设置为回车或 Tab。',
    signInFirst: '请先登录，再扫描。',
    trace: '追溯此条码',
  },
);
