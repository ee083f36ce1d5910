import { SCOPES } from '@lotward/client';
import { dictionary, useWords } from '../../app/language.js';

export const KNOWN_SCOPES = Object.keys(SCOPES) as readonly string[];

const areaWords = dictionary(
  {
    products: 'Products and partners',
    inventory: 'Stock',
    receipts: 'Receipts',
    orders: 'Orders',
    dispatches: 'Dispatches',
    udi: 'UDI trace',
    recalls: 'Recalls',
    certificates: 'Certificates',
    quality: 'Quality',
    environment: 'Environment',
    webhooks: 'Webhooks',
    events: 'Events',
    settings: 'Settings',
    audit: 'Audit',
  },
  {
    products: '产品与往来单位',
    inventory: '库存',
    receipts: '收货',
    orders: '订单',
    dispatches: '发货',
    udi: 'UDI 追溯',
    recalls: '召回',
    certificates: '资质证照',
    quality: '质量管理',
    environment: '温湿度监测',
    webhooks: 'Webhook',
    events: '事件',
    settings: '设置',
    audit: '审计',
  },
);

/** `orders:read` belongs to `orders`. */
export const areaOf = (scope: string): string => scope.split(':')[0] ?? scope;

export function useAreaName(): (area: string) => string {
  const words: Readonly<Record<string, string>> = useWords(areaWords);
  return (area) => words[area] ?? area;
}

export const roleWords = dictionary(
  {
    admin: 'Administrator',
    quality: 'Quality',
    warehouse: 'Warehouse',
    sales: 'Sales',
    viewer: 'Viewer',
    about: {
      admin: 'Full access, including settings, users and credentials.',
      quality:
        'Accepts receipts, re-checks dispatches, holds and releases stock, makes quality decisions, opens recalls, manages certificates and monitoring points.',
      warehouse: 'Receives, picks, re-checks and ships; adjusts, holds and transfers stock.',
      sales: 'Creates, approves and rejects orders.',
      viewer: 'Read-only.',
    },
  },
  {
    admin: '管理员',
    quality: '质量管理',
    warehouse: '仓储',
    sales: '销售',
    viewer: '只读',
    about: {
      admin: '全部权限，包括设置、用户和凭证。',
      quality: '验收入库、出库复核、冻结库存和解除冻结、质量处置、登记召回、维护资质证照和监测点。',
      warehouse: '收货、拣货、复核和发货；调整、冻结和调拨库存。',
      sales: '新建、审核和驳回订单。',
      viewer: '可查看业务数据，不能修改。',
    },
  },
);

export const ROLES = ['admin', 'quality', 'warehouse', 'sales', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
