/** One field of an answer: its name and value, and separately what it means. */
export interface FieldLine {
  text: string;
  /** What the field means, in a few words; empty if that is unknown. */
  meaning: string;
  /** The line including its meaning, aligned with its neighbors. */
  wide: string;
}

export type ReportLine = string | FieldLine;

/** A document in two parts: the essentials, and below them every field of the answer. */
export interface Report {
  summary: readonly ReportLine[];
  /** Shown folded below a heading; empty if there is nothing. */
  fields: readonly ReportLine[];
}

/** A report for an editor, which shows meanings in hovers and folds the less important part. */
export interface FoldedReport {
  text: string;
  /** What a line's field means, by line (zero-based). */
  meanings: ReadonlyMap<number, string>;
  /** The line of the heading above all fields, up to the last line; zero-based. */
  folded: { start: number; end: number } | undefined;
}

const heading = 'All fields of the answer';

/** The report as plain text for terminals, with meanings next to their fields. */
export function reportText(report: Report): string {
  return joined(linesOf(report).map((line) => (typeof line === 'string' ? line : line.wide)));
}

/** The report for an editor. */
export function foldReport(report: Report): FoldedReport {
  const lines = linesOf(report);
  const meanings = lines.flatMap((line, index): [number, string][] =>
    typeof line === 'string' || line.meaning === '' ? [] : [[index, line.meaning]],
  );
  const start = lines.indexOf(heading);
  return {
    text: joined(lines.map((line) => (typeof line === 'string' ? line : line.text))),
    meanings: new Map(meanings),
    folded: report.fields.length === 0 ? undefined : { start, end: lines.length - 1 },
  };
}

/** Indents lines by two columns. */
function indentLines(lines: readonly ReportLine[]): ReportLine[] {
  const indent = (text: string): string => (text === '' ? '' : `  ${text}`);
  return lines.map((line) =>
    typeof line === 'string' ? indent(line) : { ...line, text: indent(line.text), wide: indent(line.wide) },
  );
}

/** A heading, the lines below it, and an empty line; nothing if there are no lines. */
export function titled(title: string, lines: readonly ReportLine[]): ReportLine[] {
  return lines.length === 0 ? [] : [title, ...indentLines(lines), ''];
}

function linesOf({ summary, fields }: Report): ReportLine[] {
  const head = withoutTrailingBlank(summary);
  return fields.length === 0 ? head : [...head, '', heading, ...indentLines(withoutTrailingBlank(fields))];
}

function withoutTrailingBlank(lines: readonly ReportLine[]): ReportLine[] {
  const end = lines.findLastIndex((line) => line !== '') + 1;
  return lines.slice(0, end);
}

function joined(lines: readonly string[]): string {
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
