const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|[+-](\d\d):?(\d\d)|[+-](\d\d))?)?$/;

/**
 * Whether a text is an ISO 8601 date, with or without time of day and offset. The calendar is checked: JavaScript's own
 * Date takes the 30th of February for the 1st of March.
 */
export function isIsoTime(text: string): boolean {
  const match = pattern.exec(text);
  if (match === null) {
    return false;
  }
  const [, year, month, day, hour, minute, second, offsetHour, offsetMinute, offset] = match.map((part) =>
    part === undefined ? 0 : Number(part),
  ) as [number, number, number, number, number, number, number, number, number, number];
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isMidnightEnd = hour === 24 && minute === 0 && second === 0;
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= days &&
    (hour <= 23 || isMidnightEnd) &&
    minute <= 59 &&
    second <= 60 &&
    Math.max(offsetHour, offset) <= 23 &&
    offsetMinute <= 59
  );
}
