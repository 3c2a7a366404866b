const unitMs = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 };

/** Unix seconds of `2h` ago, or of a date in local time. */
export function readStart(text: string, now: number): number | undefined {
  const ago = /^\s*(\d{1,5})\s*([mhd])\s*$/.exec(text);
  if (ago !== null) {
    const unit = unitMs[ago[2] as keyof typeof unitMs];
    return Math.floor((now - Number(ago[1]) * unit) / 1000);
  }
  if (!/^\s*\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?\s*$/.test(text)) {
    return undefined;
  }
  const day = text.trim().replace(' ', 'T');
  const time = new Date(day.length === 10 ? `${day}T00:00` : day).getTime();
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}
