/*
 * The readings of the bench: requests and expected responses. Everything follows from the number of a batch, so the load
 * generator knows each response without querying the database.
 */
export const BATCH = 1_000;
export const GROUPS = 16;
const POINTS_PER_GROUP = 25;
export const POINTS = GROUPS * POINTS_PER_GROUP;
const INSTANTS = BATCH / POINTS_PER_GROUP;
/** One batch in this many has an excursion: a point is too warm for some readings, then inside again. */
const EXCURSION_ONE_IN = 10;
const EXCURSION_READINGS = 5;
export const LIMITS = { min: 2, max: 8 };

export const pointIdOf = (place) => `POINT-${String(place).padStart(4, '0')}`;
const pointIds = Array.from({ length: POINTS }, (_, place) => pointIdOf(place));
export const hasExcursion = (n) => n % EXCURSION_ONE_IN === 3;

/** Calls `each(pointId, at, temperature, humidity)` for every reading of a batch: a group of points, a second apart. */
export function eachReading(n, firstAt, each) {
  const group = n % GROUPS;
  const from = firstAt + Math.floor(n / GROUPS) * INSTANTS * 1000;
  for (let i = 0; i < INSTANTS; i++) {
    const at = new Date(from + i * 1000).toISOString();
    for (let p = 0; p < POINTS_PER_GROUP; p++) {
      const isWarm = p === 0 && i < EXCURSION_READINGS && hasExcursion(n);
      const temperature = isWarm ? 9.5 : 3 + ((n + i * 7 + p * 3) % 40) / 10;
      each(pointIds[group * POINTS_PER_GROUP + p], at, temperature, 40 + ((i + p) % 20));
    }
  }
}

function bodyOf(n, firstAt) {
  const readings = [];
  eachReading(n, firstAt, (pointId, at, temperature, humidity) =>
    readings.push(
      `{"pointId":"${pointId}","at":"${at}","temperature":${temperature},"humidity":${humidity}}`,
    ),
  );
  return `{"readings":[${readings.join(',')}]}`;
}

/** The same readings as lines for COPY. */
export function linesOf(n, orgId, firstAt) {
  let lines = '';
  eachReading(n, firstAt, (pointId, at, temperature, humidity) => {
    lines += `${orgId}\t${pointId}\t${at}\t${temperature}\t${humidity}\n`;
  });
  return lines;
}

/** For the load generator: every batch once, continuing where the last round ended. */
export function asking({ answered = 0, key, firstAt }) {
  let following = answered;
  return {
    next: () => following++,
    request(n) {
      const body = bodyOf(n, firstAt);
      return (
        `POST /v2/environment/readings HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nHost: localhost\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      );
    },
    isRight(n, text, bodyAt) {
      if (!text.startsWith('HTTP/1.1 200 ')) return false;
      const { data } = JSON.parse(text.slice(bodyAt));
      const isWhole = data.received === BATCH && data.stored === BATCH && data.late === 0;
      return isWhole && data.alerts.length === (hasExcursion(n) ? 1 : 0);
    },
  };
}
