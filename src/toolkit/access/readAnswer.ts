import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import type { Endpoint } from './endpoint/endpoint';
import { cutJsonError, notJsonError, notUtf8Error, redirectRefusedError } from './errors';
import type { CallContext } from './errors';
import { limits } from '../base/limits';
import { serviceError } from './serviceError';
import type { TransportAnswer } from './transport';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';

/**
 * The text of a successful answer; anything else throws the matching error. Never assumes JSON: gateways answer in
 * HTML, and v2 may also report errors with status 200 and `ok: false`.
 */
export function readAnswer(
  context: CallContext,
  answer: TransportAnswer,
  clock: Clock = systemClock,
): { json: unknown; text: string } {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    throw redirectRefusedError(context, status, safeTarget(answer.header('location')));
  }
  if (!isUtf8(answer.body)) {
    throw status >= 400 ? refusal(context, answer, '', false, clock) : notUtf8Error(context, status);
  }
  const text = answer.body.toString('utf8');
  const json = parse(text);
  if (status >= 400) {
    const isHtml = json === undefined && /^\s*</.test(text);
    throw refusal(
      context,
      answer,
      json === undefined ? plainText(text, isHtml) : wordsOf(json.value),
      isHtml,
      clock,
      codeOf(json?.value),
    );
  }
  if (json === undefined) {
    throw isCutJson(text)
      ? cutJsonError(context, status, text.length)
      : notJsonError(context, status, plainText(text, /^\s*</.test(text)).slice(0, 120));
  }
  if (context.endpoint.layer === 'v2' && isRefusal(json.value)) {
    const code = json.value.code;
    const real = typeof code === 'number' && code >= 400 ? code : 500;
    throw refusal(context, { ...answer, status: real }, wordsOf(json.value), false, clock);
  }
  if (context.endpoint.layer === 'v3' && isErrorOnly(context.endpoint, json.value)) {
    throw refusal(context, answer, json.value.error, false, clock, codeOf(json.value));
  }
  return { json: json.value, text };
}

function refusal(
  context: CallContext,
  answer: Pick<TransportAnswer, 'status' | 'header'>,
  text: string,
  isHtml: boolean,
  clock: Clock,
  code?: number,
): Error {
  const retryAfterMs = readRetryAfter(answer.header('retry-after'), clock);
  return serviceError(context, { status: answer.status, code, text, isHtml, retryAfterMs });
}

/** Seconds or an HTTP date, as milliseconds from now. */
function readRetryAfter(value: string | undefined, clock: Clock): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(value)) {
    return Number(value) * 1000;
  }
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - clock.now());
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function isRefusal(json: unknown): json is { ok: false; code?: unknown } {
  return typeof json === 'object' && json !== null && (json as { ok?: unknown }).ok === false;
}

/** Whether a v3 answer, whatever its status, has an error text and none of the endpoint's fields. */
function isErrorOnly({ result }: Endpoint, json: unknown): json is { error: string } {
  if (typeof json !== 'object' || json === null || typeof (json as { error?: unknown }).error !== 'string') {
    return false;
  }
  const fields = result instanceof z.ZodObject ? Object.keys(result.shape) : [];
  return !fields.some((name) => (json as Record<string, unknown>)[name] != null);
}

/** The `code` of an error body: the service's own, often but not always the HTTP status. */
function codeOf(json: unknown): number | undefined {
  const code = typeof json === 'object' && json !== null ? (json as { code?: unknown }).code : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** The error text: `error` in v2, `result` from its rate limiter, `error` in v3. */
function wordsOf(json: unknown): string {
  if (typeof json === 'string') {
    return json;
  }
  const { error, result, message } = (json ?? {}) as Record<string, unknown>;
  for (const words of [error, result, message]) {
    if (typeof words === 'string') {
      return words;
    }
  }
  return JSON.stringify(json).slice(0, 500);
}

function plainText(text: string, isHtml: boolean): string {
  if (!isHtml) {
    return text.slice(0, limits.serviceErrorText.most).trim().slice(0, 500);
  }
  const page = text.slice(0, limits.serviceErrorText.most);
  return (contentOf(page, 'title') ?? contentOf(page, 'h1') ?? withoutTags(page))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500);
}

/** The text after the first `<tag …>`, up to the next tag. */
function contentOf(html: string, tag: string): string | undefined {
  const start = html.search(tag === 'title' ? /<title\b/i : /<h1\b/i);
  const end = start < 0 ? -1 : html.indexOf('>', start);
  return end < 0 ? undefined : html.slice(end + 1).split('<', 1)[0];
}

/** Replaces every tag by a space; an unclosed `<` is kept with the text after it. */
function withoutTags(html: string): string {
  const last = html.lastIndexOf('>');
  const parts = html.slice(0, last + 1).split('>');
  const texts = parts.map((part) => part.split('<', 1)[0] ?? '');
  return [...texts, html.slice(last + 1)].join(' ');
}

/** Whether the text begins as JSON and ends inside a string, list, or object. */
function isCutJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) {
    return false;
  }
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isInString) {
      if (character === '\\') {
        index++;
      } else if (character === '"') {
        isInString = false;
      }
    } else if (character === '"') {
      isInString = true;
    } else if (character === '{' || character === '[') {
      depth++;
    } else if (character === '}' || character === ']') {
      depth--;
    }
  }
  return isInString || depth > 0;
}

/** Origin and path of a redirect's target: a query could carry secrets. */
function safeTarget(location: string | undefined): string {
  if (location === undefined) {
    return 'an unnamed place';
  }
  if (!URL.canParse(location)) {
    return location.split(/[?#]/, 1)[0] ?? '';
  }
  const { origin, pathname } = new URL(location);
  return origin + pathname;
}
