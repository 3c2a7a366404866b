const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|[+-](\d\d):?(\d\d)|[+-](\d\d))?)?$/;

/**
 * Whether a text is an ISO 8601 date, with or without time of day and offset. The calendar is checked: JavaScript's
 * Date reads February 30 as March 1.
 */
export function isIsoTime(text: string): boolean {
  const match = pattern.exec(text);
  if (match === null) {
    return false;
  }
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  const [offsetHour, offsetMinute, offset] = [part(7), part(8), part(9)];
  const isMidnightEnd = hour === 24 && minute === 0 && second === 0;
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysOf(year, month) &&
    (hour <= 23 || isMidnightEnd) &&
    minute <= 59 &&
    second <= 60 &&
    Math.max(offsetHour, offset) <= 23 &&
    offsetMinute <= 59
  );
}

function daysOf(year: number, month: number): number {
  if (month === 2) {
    return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether an HTTP status says that the request succeeded. */
export function isHttpSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
