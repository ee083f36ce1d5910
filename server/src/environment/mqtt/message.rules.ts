/** Topics are `lotward/<organization>/readings` and `lotward/<organization>/readings/<point>`. */
export const TOPICS = ['lotward/+/readings', 'lotward/+/readings/+'] as const;

export interface Place {
  organization: string;
  /** Null: each reading names its own point. */
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
 * The readings of a payload: one reading, an array of them, or a body of the API. Each is validated later; null when the
 * payload cannot be parsed.
 */
export function readingsIn(payload: string, { pointId }: Place): unknown[] | null {
  let content: unknown;
  try {
    content = JSON.parse(payload);
  } catch {
    return null;
  }
  if (typeof content !== 'object' || content === null) return null;
  const listed = Array.isArray(content) ? content : 'readings' in content ? content.readings : [content];
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > READINGS_MAX) return null;
  return pointId === null ? listed : listed.map((reading) => withPoint(reading, pointId));
}

/** The topic names the point; a reading that names another one is invalid. */
function withPoint(reading: unknown, pointId: string): unknown {
  if (typeof reading !== 'object' || reading === null) return reading;
  if ('pointId' in reading && reading.pointId !== pointId) return null;
  return { ...reading, pointId };
}
