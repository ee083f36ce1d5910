/** Quartiles by linear interpolation. */
export function quartiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => {
    const place = (sorted.length - 1) * share;
    const below = sorted[Math.floor(place)];
    return below + (sorted[Math.ceil(place)] - below) * (place - Math.floor(place));
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

export const median = (values) => quartiles(values).median;
export const sum = (values) => values.reduce((total, value) => total + value, 0);
