import { Badge, type MantineColor } from '@mantine/core';
import { dictionary, useWords } from '../app/language.js';

/** Every state that something can be in. One word means the same everywhere. */
const statusWords = dictionary(
  {
    accepted: 'Accepted',
    acknowledged: 'Acknowledged',
    active: 'Active',
    alert: 'Alert',
    alert_closed: 'Closed',
    alert_open: 'Open',
    approved: 'Approved',
    batch_released: 'Released',
    cancelled: 'Cancelled',
    closed: 'Closed',
    decided: 'Decided',
    deciding: 'Being decided',
    delivered: 'Delivered',
    disabled: 'Disabled',
    discontinued: 'Discontinued',
    dispatched: 'Dispatched',
    enabled: 'Enabled',
    ended: 'Ended',
    executed: 'Executed',
    expired: 'Expired',
    expiring: 'Expiring',
    failed: 'Failed',
    in_stock: 'In stock',
    invited: 'Invited',
    no_data: 'No data',
    none: 'No movements',
    normal: 'Normal',
    not_accepted: 'Rejected',
    not_yet_valid: 'Not yet valid',
    on_hold: 'On hold',
    open: 'Open',
    partially_accepted: 'Partially accepted',
    partially_dispatched: 'Partially dispatched',
    pending: 'Pending',
    pending_acceptance: 'Pending acceptance',
    pending_approval: 'Pending approval',
    picking: 'Picking',
    proposed: 'Proposed',
    pushed: 'Delivered',
    recalled: 'Recalled',
    rechecking: 'Pending re-check',
    rejected: 'Rejected',
    released: 'Released',
    removed: 'Removed',
    retired: 'Retired',
    retrying: 'Retrying',
    revoked: 'Revoked',
    shortage: 'Shortage',
    silent: 'Silent',
    skipped: 'Skipped',
    superseded: 'Superseded',
    suspended: 'Suspended',
    to_execute: 'Approved',
    unacknowledged: 'Not acknowledged',
    undecided: 'Open',
    valid: 'Valid',
  },
  {
    accepted: '验收合格',
    acknowledged: '已确认',
    active: '启用',
    alert: '报警',
    alert_closed: '已结束',
    alert_open: '报警中',
    approved: '已审核',
    batch_released: '可销售',
    cancelled: '已取消',
    closed: '已关闭',
    decided: '处置中',
    deciding: '处置中',
    delivered: '已签收',
    disabled: '已停用',
    discontinued: '停止采购',
    dispatched: '已发货',
    enabled: '已启用',
    ended: '已结束',
    executed: '已执行',
    expired: '已过期',
    expiring: '即将到期',
    failed: '失败',
    in_stock: '在库',
    invited: '已邀请',
    no_data: '无数据',
    none: '无流转记录',
    normal: '正常',
    not_accepted: '验收不合格',
    not_yet_valid: '尚未生效',
    on_hold: '已冻结',
    open: '进行中',
    partially_accepted: '部分合格',
    partially_dispatched: '部分发货',
    pending: '等待中',
    pending_acceptance: '待验收',
    pending_approval: '待审核',
    picking: '拣货中',
    proposed: '待批准',
    pushed: '已推送',
    recalled: '已召回',
    rechecking: '待复核',
    rejected: '已驳回',
    released: '已解除冻结',
    removed: '已移除',
    retired: '已停用',
    retrying: '重试中',
    revoked: '已吊销',
    shortage: '缺货',
    silent: '无信号',
    skipped: '已跳过',
    superseded: '已换证',
    suspended: '已停用',
    to_execute: '待执行',
    unacknowledged: '未确认',
    undecided: '待处置',
    valid: '有效',
  },
);

export type Status = keyof (typeof statusWords)['en'];

const COLORS: Partial<Record<Status, MantineColor>> = {
  accepted: 'teal',
  acknowledged: 'teal',
  active: 'teal',
  alert: 'red',
  alert_open: 'red',
  approved: 'blue',
  decided: 'blue',
  deciding: 'blue',
  batch_released: 'teal',
  delivered: 'teal',
  disabled: 'red',
  dispatched: 'cyan',
  enabled: 'teal',
  executed: 'teal',
  expired: 'red',
  expiring: 'orange',
  failed: 'red',
  in_stock: 'teal',
  invited: 'blue',
  normal: 'teal',
  on_hold: 'orange',
  open: 'orange',
  partially_accepted: 'lime',
  partially_dispatched: 'indigo',
  pending: 'yellow',
  pending_acceptance: 'yellow',
  pending_approval: 'yellow',
  picking: 'blue',
  proposed: 'yellow',
  pushed: 'teal',
  recalled: 'red',
  rechecking: 'violet',
  rejected: 'red',
  retrying: 'orange',
  revoked: 'red',
  shortage: 'red',
  silent: 'orange',
  suspended: 'orange',
  to_execute: 'blue',
  unacknowledged: 'red',
  undecided: 'orange',
  valid: 'teal',
};

/** The word is enough; the colour only helps to find it. */
export function StatusBadge({ status }: { status: Status }) {
  const words = useWords(statusWords);
  return (
    <Badge variant="light" color={COLORS[status] ?? 'gray'} tt="none" fw={550} miw="max-content">
      {words[status]}
    </Badge>
  );
}

/** Receipts are rejected by acceptance; orders and dispositions, by a person who may approve them. */
export const receiptStatus = (status: Status): Status => (status === 'rejected' ? 'not_accepted' : status);

/** The word alone, for paper and texts. */
export function useStatusName(): (status: Status) => string {
  const words = useWords(statusWords);
  return (status) => words[status];
}

/** For choosing among some of them. */
export function useStatusChoices(statuses: readonly Status[]): { value: string; label: string }[] {
  const words = useWords(statusWords);
  return statuses.map((status) => ({ value: status, label: words[status] }));
}
