import { SCOPES } from '@lotward/client';
import { dictionary, useLanguage, useWords } from '../../app/language.js';

const SCOPES_IN_CHINESE: Readonly<Record<keyof typeof SCOPES, string>> = {
  'products:read': '查看产品、往来单位和仓库',
  'products:write': '新建和修改产品、往来单位和仓库',
  'inventory:read': '查看库存、出入库流水和冻结',
  'inventory:write': '调整、冻结和调拨库存，解除物流冻结',
  'receipts:read': '查看收货单',
  'receipts:write': '新建收货单并验收',
  'orders:read': '查看订单',
  'orders:write': '录入、修改、冻结、预留、关闭和取消订单',
  'orders:approve': '审核通过和驳回订单',
  'dispatches:read': '查看发货单',
  'dispatches:write': '拣货、复核和发货',
  'udi:read': '解析 UDI 并追溯产品',
  'recalls:read': '查看召回',
  'recalls:write': '发起和关闭召回、登记客户确认',
  'certificates:read': '查看资质证照',
  'certificates:write': '录入、换证、暂停和吊销资质证照',
  'quality:read': '查看不合格品台账和处置单',
  'quality:write': '质量裁决：解除冻结、登记和处置不合格品、更正批号的有效期和生产日期、接收无销售记录的退货',
  'environment:read': '查看监测点、读数和报警',
  'environment:write': '设置监测点、上传读数和确认报警',
  'webhooks:read': '查看 Webhook 及其推送',
  'webhooks:write': '新建、修改、测试和删除 Webhook，重发事件',
  'events:read': '读取事件流',
  'settings:read': '查看设置、用户、密钥和 OAuth 客户端',
  'settings:write': '修改设置、用户、密钥和 OAuth 客户端',
  'audit:read': '查看审计日志',
};

export const KNOWN_SCOPES = Object.keys(SCOPES) as readonly string[];

/** The description of a scope. The service's own words stand in for a scope that is newer than this page. */
export function useScopeWords(): (scope: string, fromService?: string) => string {
  const { language } = useLanguage();
  const known: Readonly<Record<string, string>> = language === 'zh-CN' ? SCOPES_IN_CHINESE : SCOPES;
  return (scope, fromService) => known[scope] ?? fromService ?? scope;
}

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
      quality: '验收入库、出库复核、冻结库存和解除冻结、质量裁决、发起召回、维护资质证照和监测点。',
      warehouse: '收货、拣货、复核和发货；调整、冻结和调拨库存。',
      sales: '新建、审核和驳回订单。',
      viewer: '可查看业务数据，不能修改。',
    },
  },
);

export const ROLES = ['admin', 'quality', 'warehouse', 'sales', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
