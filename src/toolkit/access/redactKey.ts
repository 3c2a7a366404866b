import { WorkbenchError } from '../errors';
import type { TransportAnswer } from './transport';

const redacted = '[redacted]';

/** The answer without the key, however it is escaped in the JSON: for errors, which quote the service. */
export function answerWithoutKey(answer: TransportAnswer, key: string): TransportAnswer {
  let text = answer.body.toString('utf8');
  try {
    // Escapes such as \u0061 would hide it.
    const plain = JSON.stringify(JSON.parse(text));
    if (plain.includes(JSON.stringify(key).slice(1, -1))) {
      text = plain.replaceAll(JSON.stringify(key).slice(1, -1), redacted);
    }
  } catch {
    // Not JSON: used as is.
  }
  return {
    status: answer.status,
    header: (name) => {
      const value = answer.header(name);
      return value === undefined ? undefined : withoutKey(value, key);
    },
    body: Buffer.from(withoutKey(text, key), 'utf8'),
  };
}

/** The error with the key removed from all its texts. */
export function errorWithoutKey(error: WorkbenchError, key: string): WorkbenchError {
  const { code, kind, message, hint, details, cause } = error;
  if (!JSON.stringify([message, hint, details]).includes(JSON.stringify(key).slice(1, -1))) {
    return error;
  }
  return new WorkbenchError({
    code,
    kind,
    message: withoutKey(message, key),
    hint: hint === undefined ? undefined : withoutKey(hint, key),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [
        name,
        typeof value === 'string' ? withoutKey(value, key) : value,
      ]),
    ),
    cause,
  });
}

function withoutKey(text: string, key: string): string {
  return text.replaceAll(key, redacted).replaceAll(encodeURIComponent(key), redacted);
}
