import { dictionary } from '../../app/language.js';

export const eventWords = dictionary(
  {
    events: 'Event log',
    hint: 'What partners are told, newest first. Kept for 90 days.',
    type: 'Event',
    at: 'When',
    about: 'About',
    eventId: 'Event ID',
    payload: 'Payload',
    none: 'No event yet',
    noneHint: 'Orders that move, goods that come and go, and warnings show up here.',
    reading: (count: string) =>
      `The feed is read from its beginning; the first ${count} events are read. The newest are still to come.`,
    readOn: 'Read on',
    daysLeft: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} left`,
    available: (count: string) => `${count} available`,
  },
  {
    events: '事件日志',
    hint: '通知合作方的内容，最新的在前，保留 90 天。',
    type: '事件',
    at: '时间',
    about: '相关内容',
    eventId: '事件编号',
    payload: '内容',
    none: '还没有事件',
    noneHint: '订单流转、货物出入库和各类预警会显示在这里。',
    reading: (count: string) => `事件流从头读取，目前已读取前 ${count} 个事件，最新的尚未读到。`,
    readOn: '继续读取',
    daysLeft: (days: number) => `剩余 ${days} 天`,
    available: (count: string) => `可用 ${count}`,
  },
);
