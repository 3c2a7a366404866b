import { WorkbenchError, errorSentences, withoutTrailing } from './errors';

/** Control, format, separator, and invisible characters, and lone surrogates. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether bytes that were read as UTF-8 are text: without control characters other than white space. */
export function isReadableText(text: string): boolean {
  return !/[\p{Cc}\ufffd]/u.test(text.replace(/[\t\n\r]/g, ''));
}

/** A comment as the end of a line: `, comment "rent"`. Bytes that are no text would only look like a mistake of ours. */
export function commentText(text: string, maximum: number): string {
  return isReadableText(text)
    ? `, comment "${visibleText(text, maximum)}"`
    : ', a comment of bytes that are not text';
}

/** Fast path for printable ASCII, which most text is. */
const plain = /^[ -~]*$/;

const plainLines = /^[\n\t -~]*$/;

/** Variation selector 16: turns the previous character into an emoji, and hides nothing. */
const emojiSelector = '\ufe0f';

/**
 * Makes untrusted text (a comment, a token's name, a domain) safe to show: one line, in which invisible characters
 * and those that change the display of others (line breaks, bidirectional controls, zero-width characters) are
 * escaped, such as `\n` or `\u{202e}`. Markup is kept: code that produces HTML or Markdown must escape it.
 *
 * @param maximum maximum characters of `text` to show; `…` marks a cut
 */
export function visibleText(text: string, maximum = Infinity): string {
  const cut = text.length > maximum ? cutAt(text, maximum - 1) : text;
  const shown = plain.test(cut) ? cut : cut.replace(unseen, escape);
  return cut === text ? shown : `${shown}…`;
}

/** Multi-line text that includes untrusted parts, made safe to show: {@link visibleText} of each line. */
export function visibleLines(text: string): string {
  return plainLines.test(text)
    ? text
    : text.replace(/[^\n\t]+/g, (part) => (plain.test(part) ? part : part.replace(unseen, escape)));
}

/**
 * JSON text with invisible and display-changing characters as `\u` escapes: equivalent JSON.
 * @param json valid JSON; its line breaks and tabs are layout and stay
 */
export function visibleJson(json: string): string {
  return plainLines.test(json)
    ? json
    : json.replace(unseen, (character) =>
        character === '\n' || character === '\t'
          ? character
          : [...Array(character.length).keys()]
              .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
              .join(''),
      );
}

/** Truncates without splitting a surrogate pair. */
function cutAt(text: string, length: number): string {
  const end = Math.max(0, length);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}

function escape(character: string, offset: number, whole: string): string {
  switch (character) {
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    case emojiSelector:
      return character;
    case '\u200d':
      // The joiner inside an emoji (a family, a profession) is part of the picture.
      if (
        /\p{Extended_Pictographic}\ufe0f?$/u.test(whole.slice(Math.max(0, offset - 3), offset)) &&
        /^\p{Extended_Pictographic}/u.test(whole.slice(offset + 1, offset + 3))
      ) {
        return character;
      }
      break;
  }
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Decimal digits in groups of three separated by spaces, for display only; never parsed again. */
export function groupDigits(number: bigint | number | string): string {
  const text = String(number);
  const start = text.startsWith('-') ? 1 : 0;
  const first = start + ((text.length - start) % 3 || 3);
  const groups = [text.slice(0, first)];
  for (let at = first; at < text.length; at += 3) {
    groups.push(text.slice(at, at + 3));
  }
  return groups.join(' ');
}

/**
 * An amount in base units as an exact decimal number without trailing zeros: 100800 with 9 decimals is `0.0001008`.
 * The integer part is grouped, `1 204 331.5`; the fraction is not, because groups would look like two numbers.
 */
export function formatUnits(amount: bigint, decimals: number): string {
  const negative = amount < 0n;
  const digits = String(negative ? -amount : amount).padStart(decimals + 1, '0');
  const whole = groupDigits(digits.slice(0, digits.length - decimals));
  const fraction = decimals === 0 ? '' : withoutTrailing(digits.slice(-decimals), '0');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A shortened address, hash, or reference: the first 6 and last 4 characters, everywhere in the product. */
export function shortenMiddle(text: string): string {
  return text.length <= 12 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`;
}

/** `3.4 ms`, `41 ms`: one decimal below ten. */
export function milliseconds(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}

/** Seconds since the epoch as ISO 8601; numbers outside the date range as they are. */
export function isoTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}

/** The text with a capital first letter, as at the beginning of a title. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text for HTML: inside an element or an attribute's quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text in a regular expression that means itself. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** The last part of a path, whichever slashes separate its parts. */
export function fileName(path: string): string {
  return path.replace(/^.*[/\\]/s, '');
}

/** One word for a POSIX shell, whatever it contains. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Maximum characters of a coin label. */
export const coinLabelLength = 16;

/** A coin's label, shown next to amounts even when confirming a transfer: a short word on one line, no sentence. */
export function isCoinLabel(text: unknown): text is string {
  return typeof text === 'string' && text.length <= coinLabelLength && /^[\p{L}\p{N}$._-]+$/u.test(text);
}

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

/** Longer words are not typos of one another. */
const longestWord = 64;

/** The candidate at most two edits away from the text (one for short words), ignoring case. */
export function closestWord(text: string, candidates: readonly string[]): string | undefined {
  const [closest] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(text.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length >= 5 ? 2 : 1))
    .sort((a, b) => a.distance - b.distance);
  return closest?.candidate;
}

/** Levenshtein distance; long texts, and those of very different length, are not compared. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > longestWord) {
    return 3;
  }
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** An input error's message and position, as a validation message shows them. */
export function inputReason(error: unknown): string {
  if (!WorkbenchError.is(error)) {
    return String(error);
  }
  const { offset } = error.details;
  const place = typeof offset === 'number' ? `Position ${offset + 1}: ` : '';
  return place + errorSentences(error);
}
