/*
 * The smallest server that publishes an event: `publishEvents` in a transaction of its own for each POST /<tenant>/<number>, without
 * authentication, audit or a change of a record. Not a route of the product.
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { publishEvents } from '../../server/dist/events/index.js';
import { openDatabase, transact } from '../../server/dist/platform/database/index.js';
import { systemPrincipal } from '../../server/dist/platform/principal.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { answerWith } from '../measure/processes.mjs';
import { digitsOf, orderIdOf } from './shapes.mjs';

const migrationsDirectory = fileURLToPath(new URL('../../server/migrations', import.meta.url));
const APPROVER = 'approver@bench.example';

async function begin({ url, secretKey, orgIds }) {
  const database = await openDatabase({ url, migrationsDirectory, box: secretBox([secretKey]) });
  const principals = orgIds.map((orgId) => systemPrincipal(orgId, APPROVER));
  const publish = (tenantPlace, number) =>
    transact(database, principals[tenantPlace], (tx) =>
      publishEvents(tx, [
        {
          type: 'order.status_changed',
          at: tx.now,
          entity: { type: 'order', id: `bare_${digitsOf(number)}`, version: 1 },
          customerCode: 'HOSP-1',
          data: {
            orderId: orderIdOf(number),
            orderNo: `PEERS-${digitsOf(number)}`,
            customerCode: 'HOSP-1',
            previousStatus: 'pending_approval',
            currentStatus: 'approved',
            changedBy: APPROVER,
            changedAt: tx.now.toISOString(),
          },
        },
      ]),
    );
  const server = createServer((request, response) => {
    const [, tenantPlace, number] = request.url.split('/').map(Number);
    request.resume().on('end', () =>
      publish(tenantPlace, number).then(
        () => response.writeHead(200, { 'content-length': 2 }).end('{}'),
        (error) => {
          process.stderr.write(`${error.stack}\n`);
          response.writeHead(500, { 'content-length': 2 }).end('{}');
        },
      ),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

answerWith({ begin });
