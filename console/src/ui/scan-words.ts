import { dictionary } from '../app/language.js';

export const scanWords = dictionary(
  {
    scan: 'Scan or enter a code',
    scanHint: 'A scanner works anywhere on this page.',
    add: 'Add code',
    unreadable: (why: string) => `This code cannot be read: ${why}`,
    noDevice: 'This code has no device identifier.',
    unknown: (code: string) => `No product has the device identifier ${code}.`,
    unused: 'Scanning is not available on this page.',
    covered: 'Scan ignored: a dialog is open. Close it and scan again.',
    unended: 'Incomplete scan. Configure the scanner to send Enter or Tab after each code.',
    signInFirst: 'Sign in to use the scanner.',
    trace: 'Trace code',
  },
  {
    scan: '扫描或输入条码',
    scanHint: '在本页任意位置均可扫码。',
    add: '添加条码',
    unreadable: (why: string) => `无法识读此条码：${why}`,
    noDevice: '此条码不含产品标识。',
    unknown: (code: string) => `没有产品标识为 ${code} 的产品。`,
    unused: '本页面不支持扫码。',
    covered: '本次扫码未计入：请先关闭弹窗，再重新扫描。',
    unended: '条码缺少结束符。请将扫码枪的后缀设置为回车或 Tab。',
    signInFirst: '请先登录再扫码。',
    trace: '追溯编码',
  },
);
