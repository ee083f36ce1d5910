import { counting } from '../../app/counting.js';
import { dictionary } from '../../app/language.js';

export const eventWords = dictionary(
  {
    noun: 'events',
    events: 'Event log',
    hint: 'Events for connected systems, newest first. Kept for 90 days.',
    type: 'Event',
    at: 'Time',
    about: 'Record',
    customer: 'Customer',
    eventId: 'Event ID',
    payload: 'Payload',
    none: 'No events yet',
    noneHint: 'Order changes, receipts, shipments and warnings appear here.',
    daysLeft: counting('day left', 'days left'),
    available: (count: string) => `${count} available`,
  },
  {
    noun: '条',
    events: '事件日志',
    hint: '推送给对接系统的事件，最新在前，保留 90 天。',
    type: '事件',
    at: '时间',
    about: '相关记录',
    customer: '客户',
    eventId: '事件编号',
    payload: '内容',
    none: '暂无事件',
    noneHint: '订单变更、出入库和各类预警将显示在此处。',
    daysLeft: (days: number | string) => `还剩 ${days} 天`,
    available: (count: string) => `可用 ${count}`,
  },
);
