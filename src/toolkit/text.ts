/** Control, format, separator and invisible characters, and halves of surrogate pairs. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Printable ASCII needs no second look; most text is that. */
const plain = /^[ -~]*$/;

const plainLines = /^[\n\t -~]*$/;

/** Variation selector 16: makes an emoji of the character before it, and hides nothing. */
const emojiSelector = '\ufe0f';

/**
 * Text of a stranger (a comment, a token's name, a domain) as it may be shown: one line, in which everything that would
 * not be seen, or would change how the rest is seen (line breaks, bidirectional controls, zero-width characters), stands
 * as an escape such as `\n` or `\u{202e}`. Markup stays as it is: whoever makes HTML or Markdown of it escapes that.
 *
 * @param maximum most characters of `text` to show; what is cut off is marked with `…`
 */
export function visibleText(text: string, maximum = Infinity): string {
  const cut = text.length > maximum ? cutAt(text, maximum - 1) : text;
  const shown = plain.test(cut) ? cut : cut.replace(unseen, escape);
  return cut === text ? shown : `${shown}…`;
}

/** Text of several lines, made of our words and of strangers', as it may be shown: {@link visibleText} of each line. */
export function visibleLines(text: string): string {
  return plainLines.test(text)
    ? text
    : text.replace(/[^\n\t]+/g, (part) => (plain.test(part) ? part : part.replace(unseen, escape)));
}

/**
 * JSON text in which everything that would not be seen, or would change how the rest is seen, stands as `\u` escapes: the
 * same JSON.
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

/** Cuts without tearing a surrogate pair apart. */
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

/** `text` without the characters of `characters` that it ends with. A regular expression would be quadratic. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}

/** Decimal digits in groups of three with a space between them, as they are shown; never parsed again. */
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

/** An address, hash or reference in a few characters: the first 6 and the last 4, everywhere in the product. */
export function shortenMiddle(text: string): string {
  return text.length <= 12 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`;
}

/** `3.4 ms`, `41 ms`: below ten with one decimal. */
export function milliseconds(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}

/** Seconds since the epoch as ISO 8601; a number that no date has as it is. */
export function isoTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
