import type { DebugProgram, DebugRun } from '../toolkit/debug/debugProgram';
import type { GetMethodInputs } from '../toolkit/replay/gatherGetMethod';
import { argumentError } from './argumentError';
import { describeHere } from './describeHere';
import { localAccountNames, reachedAccountNames } from './reachedAccountNames';
import { openAccess } from './networkOptions';
import type { NetworkOptions } from './networkOptions';
import { networkHere } from './networkHere';
import { stopSignal } from './runTests';
import { pathHere, surroundings } from './surroundings';
import { readUserFile } from '../toolkit/base/readUserFile';

/** A get-method to debug. */
export interface DebuggedCall {
  /** As `run` takes it. */
  account: string;
  method: string;
  /** Stack text, one value each. */
  args: readonly string[];
}

/**
 * A get-method that runs step by step, on the newest block.
 *
 * @throws WorkbenchError as `callContract` and `gatherGetMethod`
 */
export async function openCallProgram(
  { account, method, args }: DebuggedCall,
  options: NetworkOptions & { source?: string },
): Promise<DebugProgram> {
  const { network } = networkHere(options.network);
  const [
    access,
    { callContract },
    { gatherGetMethod },
    { methodNamed },
    { withDomains, namesByAddress },
    { shortAddress },
    { isLibraryFile },
  ] = await Promise.all([
    openAccess(network, options),
    import('../toolkit/workflows/callContract'),
    import('../toolkit/replay/gatherGetMethod'),
    import('../toolkit/contracts/abi/methodNamed'),
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/address/shortAddress'),
    import('../toolkit/sourceMap/sourceMap'),
  ]);
  // Negative numbers are marked by a space.
  const words = args.map((one) => one.trim());
  const stack = words.join(' ');
  const accounts = await withDomains(access, stack, await reachedAccountNames(access));
  const describe = describeHere(access);
  const events = callContract({
    ...{
      access,
      address: account,
      method,
      stack,
      accounts,
      readFile: (file: string) => readUserFile(pathHere(file), 'bocText'),
    },
    signature: async (raw) => methodNamed(await describe(raw).catch(() => undefined), method)?.signature,
  });
  const first = await events.next().catch((error: unknown) => {
    throw argumentError(error, words);
  });
  if (first.done === true || first.value.type !== 'called') {
    throw new Error('a call begins with its arguments');
  }
  const { address, methodId, stack: values } = first.value;
  const call = { address, method, methodId, stack: values };
  const inputs = await gatherGetMethod(access, call, { signal: stopSignal() });
  const names = namesByAddress(await localAccountNames(network));
  const title = `${method} on ${names.get(address) ?? shortAddress(address)}`;
  return {
    threads: [{ name: title, load: () => runOf(inputs, title, options.source) }],
    first: 0,
    pathOf: (file) => (isLibraryFile(file) ? undefined : pathHere(file)),
    accountName: (raw) => names.get(raw),
  };
}

async function runOf(inputs: GetMethodInputs, title: string, source: string | undefined): Promise<DebugRun> {
  const [
    { createSandboxEmulator },
    { recordGetMethod },
    { methodRun },
    { linesHere, storageHere },
    { describeContract },
    { projectWith },
  ] = await Promise.all([
    import('../toolkit/execution/emulator/createSandboxEmulator'),
    import('../toolkit/execution/emulator/recordGetMethod'),
    import('../toolkit/debug/debugProgram'),
    import('./linesHere'),
    import('../toolkit/contracts/abi/contractDescription'),
    import('./projectWith'),
  ]);
  const { codeHash } = inputs;
  const { recording } = await recordGetMethod(await createSandboxEmulator(), inputs);
  const { steps: lines, notes } = await linesHere(recording, { codeHash }, source);
  const exits = describeContract({ codeHash }, await projectWith(surroundings().folder, { codeHash }));
  const { storage } = await storageHere({ codeHash });
  const run = methodRun({ recording, lines, inputs }, { title, exits, storage });
  return { ...run, notes: [...notes, ...run.notes.filter((note) => !notes.includes(note))] };
}
