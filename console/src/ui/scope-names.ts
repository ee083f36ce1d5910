import { SCOPES } from '@lotward/client';
import { type Language, useLanguage } from '../app/language.js';

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
  'recalls:write': '登记和关闭召回、登记客户确认',
  'certificates:read': '查看资质证照',
  'certificates:write': '录入资质证照，登记换证和吊销，停用和恢复',
  'quality:read': '查看不合格品台账和处置单',
  'quality:write': '质量处置：解除冻结、登记和处置不合格品、更正批号的有效期和生产日期、接收无销售记录的退货',
  'environment:read': '查看监测点、读数和报警',
  'environment:write': '设置监测点、上传读数和确认报警',
  'webhooks:read': '查看 Webhook 及其推送',
  'webhooks:write': '新建、修改、测试和删除 Webhook，补发和重发事件',
  'events:read': '读取事件流',
  'settings:read': '查看设置、用户、密钥和 OAuth 客户端',
  'settings:write': '修改设置、用户、密钥和 OAuth 客户端',
  'audit:read': '查看审计日志',
};

/** The description of a scope. A scope newer than this page has the service's own description. */
export function scopeName(scope: string, language: Language, fromService = scope): string {
  const known: Readonly<Record<string, string>> = language === 'zh-CN' ? SCOPES_IN_CHINESE : SCOPES;
  return known[scope] ?? fromService;
}

export function useScopeName(): (scope: string, fromService?: string) => string {
  const { language } = useLanguage();
  return (scope, fromService) => scopeName(scope, language, fromService);
}
