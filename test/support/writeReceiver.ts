import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { providerOf } from '../../src/toolkit/webhook/provider/providerOf';
import type { ProviderChoice } from '../../src/toolkit/webhook/provider/providerOf';
import { receiverFiles } from '../../src/toolkit/webhook/receiver/receiverFiles';
import type { ReceiverFramework } from '../../src/toolkit/webhook/receiver/receiverSource';

/** Writes a service's receiver and its other files below a folder. @returns where they are, the receiver first */
export async function writeReceiver(
  folder: string,
  choice: ProviderChoice,
  framework: ReceiverFramework,
): Promise<string[]> {
  const code = providerOf(choice).receiver();
  const files = receiverFiles(code, framework, `${choice.name}/${framework}/receiver.mjs`);
  await mkdir(path.join(folder, choice.name, framework), { recursive: true });
  await Promise.all(files.map((file) => writeFile(path.join(folder, file.path), file.text)));
  return files.map((file) => path.join(folder, file.path));
}
