/**
 * The one contract of every command:
 * - with --json, the result is one JSON line on stdout (a stream of results: one line each);
 * - hashes are lower-case hex, addresses raw `workchain:hex` in lower case, amounts strings in nanocoins;
 * - an error is one JSON line `{"code","message"}`, the last on stderr;
 * - the exit status is 0 done, 1 the thing itself failed, 2 bad input, 3 network (no complete answer),
 *   4 service (an answer that is refused or unusable).
 */
import type { ErrorKind, WorkbenchError } from '../toolkit/errors';
import { Redactor } from '../toolkit/log';
import { visibleJson, visibleLines } from '../toolkit/text';
import { LineStream } from './lineStream';

const exitStatuses: Readonly<Record<ErrorKind, number>> = {
  failed: 1,
  input: 2,
  network: 3,
  service: 4,
  internal: 1,
};

/** Knows the secrets of this run: what goes to stderr is free of them. */
export const redactor = new Redactor();

/** The exit status of an error of this kind. */
export function exitStatusOf(kind: ErrorKind): number {
  return exitStatuses[kind];
}

/** One JSON line on stdout. Big integers must have been made strings before. */
export function writeJsonLine(value: unknown): void {
  process.stdout.write(jsonLine(value));
}

/** Text for people on stdout. */
export function writeText(text: string): void {
  process.stdout.write(textLines(text));
}

/** JSON over several lines on stdout, for people. */
export function writePrettyJson(value: unknown): void {
  process.stdout.write(`${visibleJson(JSON.stringify(value, undefined, 2))}\n`);
}

/**
 * Lines on stdout that never end, as JSON or as text: what a reader leaves unread too long is left out and counted in a
 * line of its own.
 */
export function openLines(): { writeJson(value: unknown): void; writeText(text: string): void } {
  let isJson = true;
  const lines = new LineStream(process.stdout, (count) =>
    isJson
      ? jsonLine({ leftOut: count })
      : textLines(`… ${count.toLocaleString('en-US')} lines were left out: the reader was too slow`),
  );
  return {
    writeJson: (value) => {
      isJson = true;
      lines.write(jsonLine(value));
    },
    writeText: (text) => {
      isJson = false;
      lines.write(textLines(text));
    },
  };
}

let notes: LineStream | undefined;

/** A note for people that is not the result: on stderr. */
export function writeNote(text: string): void {
  notes ??= new LineStream(
    process.stderr,
    (count) => `… ${count.toLocaleString('en-US')} notes were left out\n`,
  );
  notes.write(textLines(redactor.redact(text)));
}

/** The JSON line of an error: the message begins with the position in the input and ends with the hint, if there are any. */
export function errorLine(error: WorkbenchError): string {
  const { offset } = error.details;
  const place = typeof offset === 'number' ? `Position ${offset + 1}: ` : '';
  const hint = error.hint === undefined ? '' : ` ${error.hint}`;
  const message = redactor.redact(place + error.message + hint);
  return visibleJson(JSON.stringify({ code: error.code, message }));
}

/** The JSON line of an error, on stderr. */
export function writeErrorLine(error: WorkbenchError): void {
  process.stderr.write(`${errorLine(error)}\n`);
}

function jsonLine(value: unknown): string {
  return `${visibleJson(JSON.stringify(value))}\n`;
}

function textLines(text: string): string {
  const shown = visibleLines(text);
  return shown.endsWith('\n') ? shown : `${shown}\n`;
}
