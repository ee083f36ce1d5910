import { expect } from 'vitest';

interface Heard {
  event: string;
  data: { kind: string; eventTypes?: string[] };
}

export interface Listening {
  status: number;
  headers: Headers;
  heard: Heard[];
  comments: number;
  /** Everything as it came. */
  text: string;
  hasEnded: boolean;
  ended: Promise<void>;
  /** Waits until it has heard of this. */
  expectNews(event: string): Promise<Heard>;
  stop(): Promise<void>;
}

const WAIT_MS = 4_000;

/** Reads a stream incrementally, as a browser does. */
export async function listenTo(url: string, sent: Record<string, string>): Promise<Listening> {
  const ending = new AbortController();
  const response = await fetch(`${url}/stream`, {
    headers: { accept: 'text/event-stream', ...sent },
    signal: ending.signal,
  });
  const listening: Listening = {
    status: response.status,
    headers: response.headers,
    heard: [],
    comments: 0,
    text: '',
    hasEnded: false,
    ended: Promise.resolve(),
    async expectNews(event) {
      await expect
        .poll(() => listening.heard.map((each) => each.event), { timeout: WAIT_MS, interval: 10 })
        .toContain(event);
      return listening.heard.find((each) => each.event === event) as Heard;
    },
    async stop() {
      ending.abort();
      await listening.ended;
    },
  };
  listening.ended = readAll(response, listening).then(() => {
    listening.hasEnded = true;
  });
  return listening;
}

async function readAll(response: Response, into: Listening): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const part of response.body ?? []) {
      const text = decoder.decode(part, { stream: true });
      into.text += text;
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        const event = field('event');
        if (event) into.heard.push({ event, data: JSON.parse(field('data') ?? 'null') });
        else if (block.startsWith(':')) into.comments++;
      }
    }
  } catch {
    // Stopped from this side, or broken off.
  }
}
