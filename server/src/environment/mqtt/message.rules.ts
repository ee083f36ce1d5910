/** Topics are `lotward/<organization>/readings` and `lotward/<organization>/readings/<point>`. */
export const TOPICS = ['lotward/+/readings', 'lotward/+/readings/+'] as const;

export interface Place {
  organization: string;
  /** Null: each reading names its own. */
  pointId: string | null;
}

export function placeOf(topic: string): Place | null {
  const [root, organization, word, pointId, ...rest] = topic.split('/');
  if (root !== 'lotward' || !organization || word !== 'readings' || pointId === '' || rest.length > 0)
    return null;
  return { organization, pointId: pointId ?? null };
}

const READINGS_MAX = 10_000;

/**
 * What a payload tells: one reading, an array of them, or the body of the API. Each is checked by itself later; null: it
 * cannot be read at all.
 */
export function readingsIn(payload: string, { pointId }: Place): unknown[] | null {
  let told: unknown;
  try {
    told = JSON.parse(payload);
  } catch {
    return null;
  }
  if (typeof told !== 'object' || told === null) return null;
  const listed = Array.isArray(told) ? told : 'readings' in told ? told.readings : [told];
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > READINGS_MAX) return null;
  return pointId === null ? listed : listed.map((reading) => withPoint(reading, pointId));
}

/** The topic says which point it is; a reading that names another one contradicts it. */
function withPoint(reading: unknown, pointId: string): unknown {
  if (typeof reading !== 'object' || reading === null) return reading;
  if ('pointId' in reading && reading.pointId !== pointId) return null;
  return { ...reading, pointId };
}
