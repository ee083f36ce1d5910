import { type NameServer, openNameServer } from '../../src/platform/outbound-http/name-server.fixture.js';
import { whileHostTook } from './host.js';
import { Part } from './part.js';
import { type Organization, orderOf, Service } from './service.js';

/** A burden that one organization puts on the service, and that the others must not feel. */
export interface Attack {
  name: string;
  /** For the report: what the attacker does. */
  what: string;
  /** The default test that protects the same by counting. */
  countedBy: string;
  durationMs?: number;
  open(ground: Ground): Promise<Opened>;
}

interface Opened {
  /** Besides the usual ones of the victim. */
  probes?: Probe[];
  /** Lasts that long, counted from now. */
  run(durationMs: number): Promise<Done>;
  close?(): Promise<void>;
}

interface Done {
  /** For the report: what came of it. */
  did: string;
  overload?: Overload;
}

/** Goodput while four times as much is asked as can be answered. */
export interface Overload {
  capacity: number;
  perSecond: number;
  p99: number;
}

/** A request of the victim, sent so many times a second. */
export interface Probe {
  name: string;
  /** Probes of a group are measured together. */
  group: string;
  perSecond: number;
  method?: string;
  path: string;
  body?: string;
  keys?: string[];
  /** The address it is sent from. */
  from?: string;
  /** Another request after its success, measured in the same group. */
  next?: 'cancelOrder' | 'deleteWebhook';
}

export interface Figures {
  samples: number;
  p50: number;
  p99: number;
  max: number;
  errors: number;
  shown: string[];
}

export interface FloodOptions {
  connections: number;
  durationMs: number;
  requests: { method?: string; path: string; body?: string }[];
  keys?: string[];
  /** Requests a second over all connections; otherwise as fast as they are answered. */
  rate?: number;
  from?: string;
  ports?: number[];
}

export interface Flooded {
  sent: number;
  unsent: number;
  closed: number;
  by: Record<string, number>;
  perSecond: number;
  p99: number;
}

export interface Measured {
  attack: Attack;
  rows: Row[];
  done: Done;
  /** The part of the processors' time that the host took. */
  taken: { without: number; during: number };
}

export interface Row {
  attack: string;
  group: string;
  without: Figures;
  during: Figures;
}

const WARM_UP_MS = 4_000;
const WITHOUT_MS = 10_000;
const DURATION_MS = 12_000;
/** The attack is under way before the victim is measured. */
const LEAD_MS = 1_500;
const FACTOR_MAX = 2;
const ALWAYS_ALLOWED_MS = 100;

export const allowedMs = (without: Figures): number => Math.max(FACTOR_MAX * without.p99, ALWAYS_ALLOWED_MS);
export const isHarmless = ({ without, during }: Row): boolean =>
  during.errors === 0 && during.p99 <= allowedMs(without);

/** The service, its victim and everything attacks are made of. */
export class Ground {
  readonly #victim = new Part('victim.mjs');
  #attackers = 0;

  private constructor(
    readonly service: Service,
    readonly names: NameServer,
    readonly victim: { organization: Organization; keys: string[] },
  ) {}

  static async open(): Promise<Ground> {
    const names = await openNameServer();
    const service = await Service.create({
      WEBHOOK_NAME_SERVERS: names.address,
      // The attackers' webhooks go on to the end.
      WEBHOOK_DISABLE_AFTER: '1000',
    });
    await service.start();
    const organization = await service.newOrganization('victim');
    const ground = new Ground(service, names, { organization, keys: await organization.moreKeys(4) });
    const { port } = await ground.#victim.ask<{ port: number }>({ kind: 'open' });
    const callbackUrl = `http://127.0.0.1:${port}/hook`;
    const webhook = { callbackUrl, eventTypes: ['order.status_changed'] };
    await service.must('POST', '/v2/webhooks', webhook, organization.key);
    await service.stop();
    return ground;
  }

  async close(): Promise<void> {
    await this.#victim.end();
    await this.service.drop();
    await this.names.close();
  }

  newAttacker(): Promise<Organization> {
    return this.service.newOrganization(`attacker-${++this.#attackers}`);
  }

  async flood(options: FloodOptions): Promise<Flooded> {
    const attacker = new Part('flood.mjs');
    try {
      return await attacker.ask<Flooded>({ ports: this.service.ports, ...options });
    } finally {
      await attacker.end();
    }
  }

  /** The victim alone, then with the attacker, on processes started for it. */
  async measure(attack: Attack): Promise<Measured> {
    await this.service.start();
    const opened = await attack.open(this);
    try {
      const probes = [...this.#usualProbes(), ...(opened.probes ?? [])];
      const measure = (durationMs: number) =>
        this.#victim.ask<Record<string, Figures>>({ targets: this.service.urls, probes, durationMs });
      await measure(WARM_UP_MS);
      const { result: without, taken: takenWithout } = await whileHostTook(() => measure(WITHOUT_MS));
      const durationMs = attack.durationMs ?? DURATION_MS;
      const attacking = opened.run(durationMs + LEAD_MS);
      await Promise.race([attacking, new Promise((resolve) => setTimeout(resolve, LEAD_MS))]);
      const { result: during, taken: takenDuring } = await whileHostTook(() => measure(durationMs));
      const done = await attacking;
      const rows = Object.entries(without).map(([group, figures]) => ({
        attack: attack.name,
        group,
        without: figures,
        during: during[group] ?? { ...figures, errors: 1, shown: ['nothing was measured'] },
      }));
      return { attack, rows, done, taken: { without: takenWithout, during: takenDuring } };
    } finally {
      await opened.close?.();
      await this.service.stop();
    }
  }

  #usualProbes(): Probe[] {
    const { keys } = this.victim;
    const group = 'requests';
    const body = orderOf('V');
    return [
      { name: 'whoami', group, perSecond: 10, path: '/v2/whoami', keys },
      { name: 'inventory', group, perSecond: 12, path: '/v2/inventory?productCode=GLOVE-1', keys },
      {
        name: 'order',
        group,
        perSecond: 10,
        method: 'POST',
        path: '/v2/orders',
        body,
        keys,
        next: 'cancelOrder',
      },
      { name: 'readyz', group: 'readyz', perSecond: 5, path: '/readyz' },
    ];
  }
}

/** As a sentence: `1200 requests: 300 × 200, 900 × 429`. */
export const sayFlood = ({ sent, by }: Flooded): string => {
  const answers = Object.entries(by).map(([status, count]) => `${count} × ${status}`);
  return `${sent} requests: ${answers.join(', ') || 'none answered'}`;
};
