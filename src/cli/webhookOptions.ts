import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { WorkbenchError } from '../toolkit/base/errors';
import { readGivenFile } from './readGivenFile';
import { ownValue } from '../toolkit/base/collections';
import type { ErrorCode } from '../toolkit/base/errorCodes';
import { headerNameHint, isHeaderName } from '../toolkit/webhook/delivery/signature';
import { textSecret } from '../toolkit/webhook/delivery/secretForm';
import type { WebhookSecret } from '../toolkit/webhook/delivery/signature';
import type { HmacSettings } from '../toolkit/webhook/provider/hmacSettings';
import type { WebhookProvider } from '../toolkit/webhook/provider/webhookProvider';
import type { ProviderChoice } from '../toolkit/webhook/provider/providerOf';

type SecretRule = Pick<WebhookProvider, 'secretForm'>;

/** An option that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/**
 * A valid header name, added to the previous ones.
 * @throws WorkbenchError `header-invalid` (input)
 */
export function collectHeader(value: string, previous: readonly string[] = []): string[] {
  if (!isHeaderName(value)) {
    throw new WorkbenchError({
      code: 'header-invalid',
      kind: 'input',
      message: `${JSON.stringify(value.slice(0, 100))} is not a valid header name.`,
      hint: headerNameHint,
    });
  }
  return collect(value, previous);
}

/** @throws WorkbenchError `time-scale-invalid` (input) */
export function parseTimeScale(text: string): number {
  const factor = Number(text);
  if (text.trim() === '' || !Number.isFinite(factor) || factor < 0 || factor > 100) {
    throw inputError(
      'time-scale-invalid',
      `The time scale ${JSON.stringify(text.trim())} is not a factor from 0 to 100.`,
      '1 is real time; 0.01 waits a hundredth of it.',
    );
  }
  return factor;
}

/** The options that choose a service. */
export interface ProviderOptions {
  provider?: string;
  header?: string[];
  hmac?: Pick<HmacSettings, 'algorithm' | 'encoding'>;
  hmacPrefix?: string;
}

/** Adds `--provider`, `--hmac` and `--hmac-prefix`. */
export function addProviderOptions(command: Command): Command {
  return command
    .option(
      '--provider <name>',
      'whose deliveries: ton-pay, tonapi, bicycle, standard-webhooks, or hmac (default: ton-pay)',
    )
    .option(
      '--hmac <format>',
      'for hmac: sha1, sha256, sha384, or sha512, and hex or base64: sha256-hex',
      parseHmac,
    )
    .option('--hmac-prefix <text>', 'for hmac: text before the code, such as sha256=');
}

function parseHmac(text: string): Pick<HmacSettings, 'algorithm' | 'encoding'> {
  const match = /^(sha1|sha256|sha384|sha512)-(hex|base64)$/.exec(text);
  if (match === null) {
    throw new InvalidArgumentError('Give an algorithm and an encoding, such as sha256-hex or sha512-base64.');
  }
  return {
    algorithm: match[1] as HmacSettings['algorithm'],
    encoding: match[2] as HmacSettings['encoding'],
  };
}

/** The service that these options choose; undefined for the usual one. */
export function providerChoice(options: ProviderOptions): ProviderChoice | undefined {
  const { provider: name, header, hmac, hmacPrefix } = options;
  if (name !== 'hmac') {
    if (hmac !== undefined || hmacPrefix !== undefined) {
      throw inputError(
        'usage',
        '--hmac and --hmac-prefix need --provider hmac.',
        'Add it, or leave them out.',
      );
    }
    return name === undefined ? undefined : { name };
  }
  return {
    name,
    hmac: {
      header: header?.[0] ?? 'X-Signature',
      prefix: hmacPrefix ?? '',
      algorithm: hmac?.algorithm ?? 'sha256',
      encoding: hmac?.encoding ?? 'hex',
    },
  };
}

/**
 * Parses `--set field=value`.
 * @throws WorkbenchError `field-invalid` (input)
 */
export function parseFields(
  assignments: readonly string[] = [],
  { fieldNames = {} }: Pick<WebhookProvider, 'fieldNames'> = {},
): Record<string, string> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const equals = assignment.indexOf('=');
      if (equals <= 0) {
        throw inputError(
          'field-invalid',
          `${JSON.stringify(assignment)} is not field=value.`,
          'For example --set amount=2.5 --set reference=order-7.',
        );
      }
      const name = assignment.slice(0, equals);
      return [ownValue(fieldNames, name) ?? name, assignment.slice(equals + 1)];
    }),
  );
}

/**
 * The secrets of `--secret-file`, named after their files. A secret is the file's text without one trailing line
 * break; it is never decoded.
 * @throws WorkbenchError `secret-file-unreadable`, `secret-empty`, `secret-unusable` (input)
 */
export async function readSecrets(
  files: readonly string[] | undefined,
  provider: SecretRule,
): Promise<WebhookSecret[]> {
  const secrets: WebhookSecret[] = [];
  for (const file of files ?? []) {
    const base = path.basename(file);
    const namesakes = secrets.filter(({ name }) => name === base || name.startsWith(`${base}#`)).length;
    secrets.push({
      name: namesakes === 0 ? base : `${base}#${namesakes + 1}`,
      value: await readSecret(file, provider),
    });
  }
  return secrets;
}

/** Reads one secret; see {@link readSecrets}. */
export async function readSecret(
  file: string,
  { secretForm }: SecretRule = { secretForm: textSecret },
): Promise<string> {
  const code = 'secret-file-unreadable';
  const hint = 'Give a text file that contains only the secret.';
  const bytes = await readGivenFile({ path: file, what: 'The secret file', code, hint }, 'secretFile');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw inputError(code, `The secret file ${JSON.stringify(file)} is not UTF-8 text.`, hint, cause);
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') {
    throw inputError(
      'secret-empty',
      `The secret file ${JSON.stringify(file)} is empty.`,
      "Put the service's secret in it: with an empty one, anyone could forge deliveries.",
    );
  }
  const problem = secretForm.problem(secret);
  if (problem !== undefined) {
    throw inputError(
      'secret-unusable',
      `The secret file ${JSON.stringify(file)} has no ${secretForm.word} of this service.`,
      problem,
    );
  }
  return secret;
}

function inputError(code: ErrorCode, message: string, hint: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({ code, kind: 'input', message, hint, cause });
}
