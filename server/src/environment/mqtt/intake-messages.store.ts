import { type Pool, statement, type Tx } from '../../platform/database/index.js';

export interface WaitingMessage {
  messageId: number;
  topic: string;
  payload: Buffer;
}

const insert = statement(`
  insert into intake_messages (org_id, topic, payload, received_at) values ($1, $2, $3, $4)`);
const count = statement(`
  select org_id as "orgId", count(*)::integer as count from intake_messages group by org_id order by org_id`);
const oldest = statement(`
  select message_id as "messageId", topic, payload from intake_messages
  where org_id = $1 order by message_id limit $2`);
const remove = statement('delete from intake_messages where org_id = $1 and message_id = $2');

export async function insertMessage(tx: Tx, topic: string, payload: Buffer): Promise<void> {
  tx.send(insert, [tx.orgId, topic, payload, tx.now]);
}

export function countMessages(worker: Pool): Promise<{ orgId: string; count: number }[]> {
  return worker.query(count, []);
}

export function readOldestMessages(tx: Tx, max: number): Promise<WaitingMessage[]> {
  return tx.query(oldest, [tx.orgId, max]);
}

export async function removeMessage(tx: Tx, messageId: number): Promise<void> {
  tx.send(remove, [tx.orgId, messageId]);
}
