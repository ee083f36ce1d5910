import pg from 'pg';

/** A database on the coordinator of a Citus cluster, as its superuser; its nodes are those of that database. */
export const CITUS_URL = process.env.CITUS_URL;

export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

export async function withAdmin<T>(server: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: server });
  // A database that is dropped ends its connections.
  admin.on('error', () => {});
  await admin.connect();
  return work(admin).finally(() => admin.end());
}

interface Node {
  nodename: string;
  nodeport: number;
}

/** The nodes of a cluster, the coordinator first; a plain PostgreSQL is one. */
async function nodesOf(server: string): Promise<string[]> {
  if (!CITUS_URL) return [server];
  const { rows } = await withAdmin(server, (admin) =>
    admin.query<Node>('select nodename, nodeport from pg_dist_node where isactive order by groupid'),
  );
  return rows.map(({ nodename, nodeport }) => {
    const url = new URL(server);
    url.hostname = nodename;
    url.port = String(nodeport);
    return url.toString();
  });
}

let nodes: Promise<string[]> | undefined;

/** Runs a statement on databases as such, on every node. */
export async function onEveryNode(server: string, ...statements: string[]): Promise<void> {
  nodes ??= nodesOf(server);
  for (const node of await nodes)
    await withAdmin(node, async (admin) => {
      for (const text of statements) await admin.query(text);
    });
}

/** Ends the maintenance of a database by the cluster, which counts as somebody who is connected to it. */
const endConnections = (database: string): string =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`;

/** An empty database, ready to be distributed if the server is a cluster. */
export async function createDatabase(server: string, name: string): Promise<void> {
  await onEveryNode(server, `create database ${name}`);
  if (CITUS_URL) await addNodes(server, name);
}

/** Makes the databases of this name on all nodes one cluster. */
export async function addNodes(server: string, name: string): Promise<void> {
  nodes ??= nodesOf(server);
  const all = await nodes;
  for (const node of all)
    await withAdmin(urlOf(node, name), (admin) => admin.query('create extension citus'));
  await withAdmin(urlOf(server, name), async (admin) => {
    for (const [i, node] of all.entries()) {
      const { hostname, port } = new URL(node);
      await admin.query(`select ${i === 0 ? 'citus_set_coordinator_host' : 'citus_add_node'}($1, $2)`, [
        hostname,
        Number(port),
      ]);
    }
  });
}

/** The files are copied as they are; nothing of it has to survive a crash. A copy on every node is a copy of the whole. */
export const copyDatabase = (server: string, template: string, name: string): Promise<void> =>
  onEveryNode(
    server,
    ...(CITUS_URL ? [endConnections(template)] : []),
    `create database ${name} template ${template} strategy file_copy`,
  );

export const dropDatabase = (server: string, name: string): Promise<void> =>
  onEveryNode(server, `drop database if exists ${name} with (force)`);

export const renameDatabase = (server: string, name: string, to: string): Promise<void> =>
  onEveryNode(server, ...(CITUS_URL ? [endConnections(name)] : []), `alter database ${name} rename to ${to}`);
