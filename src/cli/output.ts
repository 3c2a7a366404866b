/**
 * The one contract of every command:
 * - with --json, the result is one JSON line on stdout (a list of results, or events: one line each), of the schema that
 *   --json-schema prints (see networkHere.ts); its first key is the version of its form;
 * - hashes are lowercase hex, addresses raw `workchain:hex` in lowercase, amounts strings in nanocoins, gas a
 *   number; what a payment service says stays as it says it;
 * - an error is one JSON line `{"code","message"}`, the last on stderr; without --json, a terminal shows sentences;
 * - the exit status is 0 done, 1 the operation failed, 2 bad input, 3 network (no complete answer), 4 service
 *   (refused, or an unusable answer).
 */

import type { Writable } from 'node:stream';
import type { ErrorKind } from '../toolkit/base/errors';
import { WorkbenchError, errorSentences } from '../toolkit/base/errors';
import { limits } from '../toolkit/base/limits';
import type { Log, LogLevel } from '../toolkit/base/log';
import { Redactor, createLog } from '../toolkit/base/log';
import { visibleJson, visibleLines } from '../toolkit/base/text';
import { keepRun, perRun, surroundings } from './surroundings';

/** Lines to a possibly slow reader: unread bytes are bounded, and lines beyond the bound are counted instead. */
export class LineStream {
  readonly #stream: Writable;
  readonly #leftOutLine: (count: number) => string;
  readonly #most: number;
  #leftOut = 0;

  /**
   * @param leftOutLine the line that replaces `count` omitted lines
   * @param most maximum unread bytes
   */
  constructor(
    stream: Writable,
    leftOutLine: (count: number) => string,
    most: number = limits.unreadOutput.most,
  ) {
    this.#stream = stream;
    this.#leftOutLine = leftOutLine;
    this.#most = most;
  }

  /** Writes a line with its line break, or counts it as omitted. */
  write(line: string): void {
    if (this.#leftOut === 0 && this.#stream.writableLength <= this.#most) {
      this.#stream.write(line);
      return;
    }
    if (this.#leftOut === 0) {
      this.#stream.once('drain', () => {
        this.#stream.write(this.#leftOutLine(this.#leftOut));
        this.#leftOut = 0;
      });
    }
    this.#leftOut += 1;
  }
}

const exitStatuses: Readonly<Record<ErrorKind, number>> = {
  failed: 1,
  input: 2,
  network: 3,
  service: 4,
  internal: 1,
};

/** Redacts this run's secrets on stderr. */
export const redactor = perRun(() => new Redactor());

/** The exit status of an error of this kind. */
export function exitStatusOf(kind: ErrorKind): number {
  return exitStatuses[kind];
}

/**
 * The version of the form of every answer of `--json`, its first key. What a program reads of version 1 stays where it is,
 * of the same type; keys may be added.
 */
export const answerVersion = 1;

/** An answer as one JSON line on stdout, with its version. Big integers must already be strings. */
export function writeJsonLine(answer: object): void {
  surroundings().output.write(jsonLine(answer));
}

/** Somebody else's JSON as one line on stdout, as it is. */
export function writeForeignJson(value: unknown): void {
  surroundings().output.write(`${visibleJson(JSON.stringify(value))}\n`);
}

/** One JSON line on stdout with a list as its last key, which may be too long to be in memory at once. */
export async function writeJsonList(
  document: object,
  key: string,
  items: Iterable<unknown>,
  whenRead: () => Promise<void>,
): Promise<void> {
  const { output } = surroundings();
  const head = jsonLine({ ...document, [key]: [] });
  const end = head.lastIndexOf(']');
  output.write(head.slice(0, end));
  let separator = '';
  for (const item of items) {
    output.write(separator + visibleJson(JSON.stringify(item)));
    separator = ',';
    await whenRead();
  }
  output.write(head.slice(end));
}

/** Writes plain text to stdout. */
export function writeText(text: string): void {
  surroundings().output.write(textLines(text));
}

/** Indented JSON on stdout, for people. */
export function writePrettyJson(value: unknown): void {
  surroundings().output.write(`${visibleJson(JSON.stringify(value, undefined, 2))}\n`);
}

/**
 * An endless stream of lines on stdout, as JSON or text: lines left unread too long are dropped and reported as a
 * count on a separate line.
 */
export function openLines(): { writeJson(answer: object): void; writeText(text: string): void } {
  let isJson = true;
  const lines = new LineStream(surroundings().output, (count) =>
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

const notes = perRun(
  () =>
    new LineStream(
      surroundings().errors,
      (count) => `… ${count.toLocaleString('en-US')} notes were left out\n`,
    ),
);

/** Writes a note for the user to stderr; it is not part of the result. */
export function writeNote(text: string): void {
  notes().write(textLines(redactor().redact(text)));
}

/** Options or arguments that do not fit together, or one that cannot be: `usage` (input). */
export function usageError(message: string, hint?: string): WorkbenchError {
  return new WorkbenchError({ code: 'usage', kind: 'input', message, hint });
}

/** Notes that the network is asked again. */
export function noteRetry({ error, retryInMs }: { error: WorkbenchError; retryInMs: number }): void {
  writeNote(`${error.message} Trying again in ${Math.round(retryInMs / 1000)} s.`);
}

/** An error as a JSON line: the message begins with the input position and ends with the hint, if any. */
export function errorLine(error: WorkbenchError): string {
  const message = redactor().redact(placeOf(error) + errorSentences(error));
  return visibleJson(JSON.stringify({ code: error.code, message }));
}

/** An error for people: what happened, then what to do next, if that is known. */
export function errorText(error: WorkbenchError): string {
  const told = `error: ${placeOf(error)}${error.message} (${error.code})`;
  return visibleLines(redactor().redact(error.hint === undefined ? told : `${told}\n${error.hint}`));
}

/** Prints an error on stderr. */
export function writeError(error: WorkbenchError, isForPeople: boolean): void {
  surroundings().errors.write(`${isForPeople ? errorText(error) : errorLine(error)}\n`);
}

function placeOf({ details: { offset } }: WorkbenchError): string {
  return typeof offset === 'number' ? `Position ${offset + 1}: ` : '';
}

function jsonLine(answer: object): string {
  return `${visibleJson(JSON.stringify({ version: answerVersion, ...answer }))}\n`;
}

function textLines(text: string): string {
  const shown = visibleLines(text);
  return shown.endsWith('\n') ? shown : `${shown}\n`;
}

/** The warnings and errors of a service, as notes. */
export function noteLog(): Log {
  return createLog(
    keepRun((level: LogLevel, line: string) => {
      if (level === 'warn' || level === 'error') {
        writeNote(line);
      }
    }),
    new Redactor(),
  );
}
