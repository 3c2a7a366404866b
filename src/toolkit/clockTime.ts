/**
 * The time of day in a row, in the user's time zone and 24-hour form: `22:25:36`; numbers outside the date
 * range are returned as they are. Lists of traces, deliveries, and requests all use this form.
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
