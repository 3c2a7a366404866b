import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { checkOptions } from '../toolkit/webhook/check/checkOptions';
import { providerOf } from '../toolkit/webhook/provider/providerOf';
import { receiverFiles, receiverPathProblem, receiverPaths } from '../toolkit/webhook/receiver/receiverFiles';
import type { ReceiverFramework } from '../toolkit/webhook/receiver/receiverSource';
import { checkCommand, receiverPackages, secretFile } from '../toolkit/webhook/receiver/receiverSource';
import { writeUserFile } from '../toolkit/base/writeUserFile';
import { existsAlreadyError } from './fileError';
import { usageError, writeJsonLine, writeText } from './output';
import { pathHere } from './surroundings';
import type { ReceiverAnswer } from './webhookAnswers';
import type { ProviderOptions } from './webhookOptions';
import { providerChoice } from './webhookOptions';
import { pathExists, unwritableError } from './writeWholeFile';

export interface NewReceiverOptions extends ProviderOptions {
  framework: ReceiverFramework;
  force?: true;
  json?: true;
}

/** `webhook new`: writes a receiver and its test, and says how to run and check it. */
export async function webhookNew(given: string | undefined, options: NewReceiverOptions): Promise<void> {
  const { framework, force, header, provider } = options;
  if (header !== undefined && provider !== 'hmac') {
    throw usageError('--header needs --provider hmac.', 'The other services have headers of their own.');
  }
  const choice = providerChoice(options);
  const code = providerOf(choice).receiver();
  const check = checkOptions(choice);
  const at = given ?? receiverPaths[framework];
  const problem = receiverPathProblem(at);
  if (problem !== undefined) {
    throw usageError(`${JSON.stringify(at)} cannot be the receiver's file.`, problem);
  }
  const files = receiverFiles(code, framework, at, check);
  const existing = await Promise.all(
    files.map(async (file) => ((await pathExists(pathHere(file.path))) ? [file.path] : [])),
  );
  if (force !== true && existing.flat().length > 0) {
    throw existsAlreadyError(existing.flat());
  }
  for (const file of files) {
    try {
      await mkdir(path.dirname(pathHere(file.path)), { recursive: true });
      await writeUserFile(pathHere(file.path), file.text, { isNew: force !== true });
    } catch (cause) {
      throw unwritableError('receiver', file.path, cause);
    }
  }
  const packages = receiverPackages[framework];
  if (options.json === true) {
    writeJsonLine({
      service: code.service,
      files: files.map((file) => file.path),
      packages: [...packages],
      variables: [...code.variables],
      check: `${checkCommand(code, check)} --framework ${framework}`,
    } satisfies ReceiverAnswer);
    return;
  }
  const variables = new Intl.ListFormat('en').format(code.variables);
  writeText(
    [
      `Made ${files.map((file) => file.path).join(', ')}, for webhooks of ${code.service}. Next:`,
      ...(packages.length === 0 ? [] : [`  npm install ${packages.join(' ')}`]),
      `  node --test ${files[1]?.path ?? ''}`,
      framework === 'next' ? `  start your app with ${variables} set` : `  node ${at}, with ${variables} set`,
      `  ${checkCommand(code, check)} --framework ${framework}`,
      `${secretFile} contains the value of WEBHOOK_SECRET.${code.example === undefined ? '' : ` ${code.example} is the receiver's example: replace it by your own.`}`,
    ].join('\n'),
  );
}
