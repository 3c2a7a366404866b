/**
 * The time of day of a row, in the reader's time zone and 24 hours: `22:25:36`; numbers outside the date range as they
 * are. Lists of traces, deliveries and requests show times in this form only.
 *
 * @param seconds since the Unix epoch
 */
export function clockTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime())
    ? String(seconds)
    : [time.getHours(), time.getMinutes(), time.getSeconds()]
        .map((part) => String(part).padStart(2, '0'))
        .join(':');
}
