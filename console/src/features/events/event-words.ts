import { dictionary } from '../../app/language.js';

export const eventWords = dictionary(
  {
    events: 'Event log',
    hint: 'Events published to partners, newest first. Kept for 90 days.',
    type: 'Event',
    at: 'Time',
    about: 'Record',
    eventId: 'Event ID',
    payload: 'Payload',
    none: 'No events yet',
    noneHint: 'Order changes, receipts, shipments and warnings appear here.',
    reading: (count: string) => `Showing the first ${count} events. Load more to reach the newest.`,
    readOn: 'Load more events',
    daysLeft: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} left`,
    available: (count: string) => `${count} available`,
  },
  {
    events: '事件日志',
    hint: '向合作方发布的事件，最新在前，保留 90 天。',
    type: '事件',
    at: '时间',
    about: '相关单据',
    eventId: '事件编号',
    payload: '内容',
    none: '暂无事件',
    noneHint: '订单变更、出入库和各类预警将显示在此处。',
    reading: (count: string) => `已显示前 ${count} 个事件，继续加载可查看最新事件。`,
    readOn: '继续加载',
    daysLeft: (days: number) => `剩余 ${days} 天`,
    available: (count: string) => `可用 ${count}`,
  },
);
