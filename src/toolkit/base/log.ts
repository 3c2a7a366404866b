/** From least to most severe. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Where lines go: a VS Code log channel, stderr, or a list in a test. */
export type LogSink = (level: LogLevel, line: string) => void;

/** A log of one area. Every line is redacted before it reaches the sink. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
  /** The same log with another area prefix. */
  area(name: string): Log;
}

/** Keeps secrets that must never be printed, and removes them from any text. */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Registers a secret before its first use. Texts under four characters would redact noise and are ignored. */
  add(secret: string): void {
    if (secret.length >= 4) {
      this.#secrets.add(secret);
    }
  }

  /** `text` with every known secret, and every value of a key-carrying header or query, replaced by `[redacted]`. */
  redact(text: string): string {
    let result = text;
    for (const secret of this.#secrets) {
      result = result.replaceAll(secret, '[redacted]');
    }
    return result
      .replace(
        /((?:x-api-key|authorization|cookie)["']?\s*[:=]\s*["']?)(?:bearer\s+)?[^\s"',;}]+/gi,
        '$1[redacted]',
      )
      .replace(/([?&](?:api_key|apikey|token|secret)=)[^&\s"']+/gi, '$1[redacted]');
  }
}

/** A log over `sink`; secrets registered with `redactor` never reach it. */
export function createLog(sink: LogSink, redactor: Redactor, area = ''): Log {
  const prefix = area === '' ? '' : `[${area}] `;
  const write = (level: LogLevel, message: string): void => sink(level, redactor.redact(prefix + message));
  return {
    trace: (message) => write('trace', message),
    debug: (message) => write('debug', message),
    info: (message) => write('info', message),
    warn: (message) => write('warn', message),
    error: (message, error) =>
      write('error', error === undefined ? message : `${message}: ${describeError(error)}`),
    area: (name) => createLog(sink, redactor, name),
  };
}

/** A log that drops every line. */
export const silentLog: Log = createLog(() => undefined, new Redactor());

function describeError(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const cause = error.cause === undefined ? '' : `\n  caused by ${describeError(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}
