/**
 * Tells an RFC 3339 timestamp from other text (tick T-6.2-3, T-8.2-1c). It only checks, and never
 * turns one into a time.
 */

const shape = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const minutesOfDay = 24 * 60;

/**
 * Strict: `T` or `t` between date and time, `Z`, `z` or an offset with a colon, a date that exists.
 * A second of 60 is taken where a leap second can be: in the last minute of a day in UTC.
 */
export function isTimestamp(text: string): boolean {
  const parts = shape.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offsetHour = Number(parts[8] ?? 0);
  const offsetMinute = Number(parts[9] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[7] === '-' ? -1 : 1);
  const utc = hour * 60 + minute - offset;
  return (utc + 2 * minutesOfDay) % minutesOfDay === minutesOfDay - 1;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
