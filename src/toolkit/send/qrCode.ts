import { encode, renderSVG } from 'uqr';

/** The quiet zone that readers need around a code (ISO/IEC 18004). */
const border = 4;

/** A text as a QR code for a terminal: two rows of modules a line, in half blocks. Light on dark and dark on light can both be read. */
export function qrText(text: string): string {
  const { data, size } = encode(text, { ecc: 'L', border });
  const lines: string[] = [];
  for (let row = 0; row < size; row += 2) {
    const [upper = [], lower = []] = [data[row], data[row + 1]];
    lines.push(upper.map((isDark, column) => halfBlock(isDark, lower[column] ?? false)).join(''));
  }
  return lines.join('\n');
}

/** A text as a QR code for a page: an SVG element, black on white whatever the theme, because readers expect that. */
export function qrSvg(text: string): string {
  return renderSVG(text, { ecc: 'L', border, whiteColor: '#ffffff', blackColor: '#000000' });
}

/** Light modules are drawn: most terminals are dark. */
function halfBlock(isUpperDark: boolean, isLowerDark: boolean): string {
  if (isUpperDark) {
    return isLowerDark ? ' ' : '▄';
  }
  return isLowerDark ? '▀' : '█';
}
