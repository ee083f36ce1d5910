/** Ports that browsers do not call either ("bad port" in the WHATWG Fetch standard): each belongs to another protocol. */
const OF_BROWSERS = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** Databases, queues and remote control, which some servers leave open to the internet. */
const OF_SERVERS = [
  445, // SMB
  873, // rsync
  1433, // SQL Server
  1434,
  1521, // Oracle
  1883, // MQTT
  2181, // ZooKeeper
  2375, // Docker
  2376,
  2379, // etcd
  2380,
  3306, // MySQL
  3389, // Remote Desktop
  4369, // Erlang
  5432, // PostgreSQL
  5433,
  5671, // AMQP
  5672,
  5900, // VNC
  5984, // CouchDB
  6379, // Redis
  6380,
  8883, // MQTT
  9042, // Cassandra
  9092, // Kafka
  9200, // Elasticsearch
  9300,
  10250, // kubelet
  11211, // memcached
  27017, // MongoDB
  27018,
  27019,
  50000, // Db2
];

const BLOCKED: ReadonlySet<number> = new Set([...OF_BROWSERS, ...OF_SERVERS]);

/** `port` as in a URL: empty for the default port of the protocol. */
export const isBlockedPort = (port: string): boolean => port !== '' && BLOCKED.has(Number(port));
