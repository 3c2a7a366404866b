import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Cell } from '@ton/core';
import { runCommandLine } from '../../src/cli/commandLine';
import type { AbiType } from '../../src/toolkit/contracts/abi/abiType';
import { withParts } from '../../src/toolkit/contracts/abi/abiType';
import { contractGroups } from '../../src/toolkit/contracts/abi/projectContract';
import { describeContract } from '../../src/toolkit/contracts/abi/contractDescription';
import { builtContract, plainName } from '../../src/toolkit/contracts/abi/projectContract';
import type { ProjectContract } from '../../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../../src/toolkit/contracts/abi/readProject';
import { isContractSource } from '../../src/toolkit/contracts/abi/sourceLanguage';
import { sourceLanguage } from '../../src/toolkit/contracts/abi/sourceLanguage';
import { compileSource, projectBuild } from '../../src/toolkit/build/compileSource';
import type { BuiltContract } from '../../src/toolkit/build/readBuiltContract';
import { readProjectFiles } from '../../src/toolkit/build/readProjectFiles';
import { exampleOfLayout } from '../../src/toolkit/contracts/layouts/exampleOfLayout';
import { initialLayout } from '../../src/toolkit/contracts/layouts/initialLayout';
import { projectLayouts } from '../../src/toolkit/contracts/layouts/projectLayouts';
import { projectStorage } from '../../src/toolkit/contracts/layouts/projectLayouts';
import { combinedTargets } from '../../src/toolkit/project/combinedTargets';
import { opcodes } from '../../src/toolkit/contracts/opcodes/opcodes';
import { readCodeTree } from '../../src/toolkit/sourceMap/readCodeTree';
import type { CodeBody } from '../../src/toolkit/sourceMap/readCodeTree';
import { systemClock } from '../../src/toolkit/base/time';
import { measureMaps, namesIn } from './measureMaps';
import { ownBuilds } from './ownBuilds';
import type { OwnBuild } from './ownBuilds';

/** Something counted: how much of how much, and why not all. */
export interface Count {
  have: number;
  of: number;
}

/** What became of a project's contracts. */
export interface MeasuredProject {
  name: string;
  found: Count;
  compiled: Count;
  /** Codes that are those of the project's own build, of those that can be compared. */
  equal: Count;
  deployed: Count;
  typed: Count;
  named: Count;
  handlers: Count;
  /** Each no with its reason, as sentences. */
  noes: string[];
}

/** Measures one project: everything is done as a user does it who changes nothing. */
export async function measureProject(folder: string, localnet: { v2: string }): Promise<MeasuredProject> {
  const { files } = await readProjectFiles(folder);
  const read = (file: string): string => readFileSync(file, 'utf8');
  const at = (name: string): string => path.join(folder, name).replaceAll('\\', '/');
  const project = await readProject(files, undefined, undefined, {
    readImported: (name) => Promise.resolve(readMaybe(at(name))),
  });
  const zero = (): Count => ({ have: 0, of: 0 });
  const measured: MeasuredProject = {
    ...{ name: path.basename(folder), found: zero(), compiled: zero(), equal: zero(), deployed: zero() },
    ...{ typed: zero(), named: zero(), handlers: zero(), noes: [] },
  };
  const count = (what: Count, is: boolean, no?: string): void => {
    what.of += 1;
    what.have += Number(is);
    if (!is && no !== undefined) {
      measured.noes.push(no);
    }
  };
  const groups = contractGroups(project);
  let tactBuilds: Map<string, OwnBuild> | undefined;
  for (const { path: file } of files) {
    const language = sourceLanguage(file);
    if (language === undefined || !isContractSource(read(at(file)), language)) {
      continue;
    }
    const own = groups.filter(
      ({ source, parts }) => source === file || parts.some((part) => part.file === file),
    );
    count(measured.found, own.length > 0, `${file}: not found as a contract`);
    const options = { read, list: namesIn, isTrusted: true };
    let built: BuiltContract[];
    try {
      built = await compileSource(at(file), options);
    } catch (error) {
      count(measured.compiled, false, `${file}: ${whyOf(error, folder)}`);
      for (const group of own) {
        await countSource(file, { project, parts: group.parts, measured });
      }
      continue;
    }
    const { project: description, compilation } = projectBuild(at(file), options);
    const combined =
      language === 'func' && compilation.as === undefined
        ? combinedTargets(at(file), description.root, { read, list: namesIn })
        : undefined;
    const isCombined = built[0]?.compiledBy?.includes(', combined as in ') === true;
    // Tact builds all of a project at once.
    const fresh =
      (language === 'tact' ? tactBuilds : undefined) ??
      (await ownBuilds(
        at(file),
        description.root,
        isCombined && combined !== undefined ? combined : compilation,
      ));
    tactBuilds = language === 'tact' ? fresh : tactBuilds;
    for (const contract of built) {
      const label = built.length === 1 ? file : `${file} ${contract.name}`;
      count(measured.compiled, true);
      const others = [
        ...artifactsOf(
          contract,
          own.flatMap(({ parts }) => parts),
        ),
        ...[
          fresh.get(plainName(contract.name)) ?? (built.length === 1 ? fresh.get(baseOf(file)) : undefined),
        ].filter((one) => one !== undefined),
      ];
      if (others.length > 0) {
        const other = others.find(({ codeHash }) => codeHash !== contract.codeHash);
        count(measured.equal, other === undefined, `${label}: other code than ${other?.by}`);
      }
      const why = await deployment(contract, {
        file,
        folder,
        project,
        localnet,
        isAlone: built.length === 1,
      });
      count(measured.deployed, why === undefined, `${label}: not deployed: ${why}`);
      await countCode(contract, { label, file, project, measured });
    }
  }
  const maps = await measureMaps(folder);
  maps.contracts.forEach((one) => {
    measured.handlers.of += one.handlers;
    measured.handlers.have += one.handlersWithLines;
  });
  const refused = maps.refused.filter((note) =>
    /main handler|recv_internal|onInternalMessage|recv_external/.test(note),
  );
  measured.noes.push(
    ...(refused.length > 0 ? refused : []),
    ...maps.wrong.map((text) => `wrong line: ${text}`),
  );
  return measured;
}

function readMaybe(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function baseOf(file: string): string {
  return plainName(path.basename(file).replace(/\.\w+$/, ''));
}

/** The error of a compiler in one line, without the folder of this run. */
function whyOf(error: unknown, folder: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').replaceAll(`${folder}/`, '').slice(0, 200);
}

/** What the project's build files in the repository say of a contract. */
function artifactsOf(contract: BuiltContract, parts: readonly ProjectContract[]): OwnBuild[] {
  return parts.flatMap(({ file, name, source, codeHash }) =>
    codeHash !== undefined && (source !== undefined || plainName(name) === plainName(contract.name))
      ? [{ codeHash, by: file }]
      : [],
  );
}

interface DeployedFrom {
  file: string;
  folder: string;
  project: readonly ProjectContract[];
  localnet: { v2: string };
  isAlone: boolean;
}

/** Deploys a contract with the data that its own fields suggest; why that is not possible, if it is not. */
async function deployment(
  { name }: BuiltContract,
  { file, folder, project, localnet, isAlone }: DeployedFrom,
): Promise<string | undefined> {
  const group = contractGroups(project).find(
    ({ source, parts }) =>
      source === file && (isAlone || parts.some((part) => plainName(part.name) === plainName(name))),
  );
  const storage = await projectStorage(project, { name: group?.name ?? name, file });
  if (storage === undefined) {
    return 'nothing describes its data';
  }
  const own = initialLayout(storage);
  const data = exampleOfLayout(own.layout, own.set, 'alice');
  const { origin } = new URL(localnet.v2);
  const { status, output, errors } = await runHere(
    [
      ...['deploy', file, ...(isAlone ? [] : ['--contract', name]), '--data', data],
      ...['--anyway', '--json', '--network', origin],
    ],
    folder,
  );
  const answer = lastJson(output) as { isDeployed?: boolean | null } | undefined;
  const { message } = (lastJson(errors) ?? {}) as { message?: string };
  return answer?.isDeployed === true || status === 0
    ? undefined
    : whyOf(new Error(message ?? errors.trim()), folder);
}

async function runHere(
  args: readonly string[],
  folder: string,
): Promise<{ status: number | undefined; output: string; errors: string }> {
  const [output, errors] = [new Text(), new Text()];
  const status = await runCommandLine(args, {
    ...{ output, errors, folder, clock: systemClock, input: Readable.from([]) },
    // What the user's folder has is not changed for good.
    environment: { PATH: process.env['PATH'], TON_CACHE_FOLDER: '' },
    onStop: () => undefined,
  });
  return { status, output: output.text, errors: errors.text };
}

class Text extends Writable {
  text = '';

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function lastJson(text: string): unknown {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '');
  } catch {
    return undefined;
  }
}

/** Counts the get-methods with types, and the opcodes with names, that a code has. */
async function countCode(
  { name, code: boc, codeHash }: BuiltContract,
  {
    label,
    file,
    project,
    measured,
  }: { label: string; file: string; project: readonly ProjectContract[]; measured: MeasuredProject },
): Promise<void> {
  const code = Cell.fromBase64(boc);
  const described = describeContract({ code, codeHash }, [...project, builtContract(name, file, codeHash)]);
  const untyped = described.methods.filter(
    ({ signature }) => signature === undefined || !isTyped(signature.result),
  );
  measured.typed.of += described.methods.length;
  measured.typed.have += described.methods.length - untyped.length;
  if (untyped.length > 0) {
    measured.noes.push(`${label}: no type of ${untyped.map((one) => one.name).join(', ')}`);
  }
  const seen = await opcodesIn(code);
  const unnamed = [...seen].filter((opcode) => !described.messages.has(opcode) && !opcodes.has(opcode));
  measured.named.of += seen.size;
  measured.named.have += seen.size - unnamed.length;
  if (unnamed.length > 0) {
    measured.noes.push(
      `${label}: no name of ${unnamed.map((one) => `0x${one.toString(16).padStart(8, '0')}`).join(', ')}`,
    );
  }
}

/** The same of a source that nothing here compiles: what it declares and receives counts. */
async function countSource(
  file: string,
  {
    project,
    parts,
    measured,
  }: { project: readonly ProjectContract[]; parts: readonly ProjectContract[]; measured: MeasuredProject },
): Promise<void> {
  const methods = parts.find((part) => part.file === file)?.methods ?? [];
  const untyped = methods.filter(({ result }) => !isTyped(result));
  measured.typed.of += methods.length;
  measured.typed.have += methods.length - untyped.length;
  if (untyped.length > 0) {
    measured.noes.push(`${file}: no type of ${untyped.map(({ name }) => name).join(', ')}`);
  }
  const sets = (await projectLayouts(project)).filter(({ files = [] }) => files.includes(file));
  const received = sets.flatMap(({ structs }) => [...structs.values()].filter(({ isMessage }) => isMessage));
  const unnamed = received.filter(({ prefix }) => prefix === undefined);
  measured.named.of += received.length;
  measured.named.have += received.length - unnamed.length;
}

function isTyped(type: AbiType): boolean {
  let isKnown = type.kind !== 'unknown';
  withParts(type, (part) => {
    isKnown &&= isTyped(part);
    return part;
  });
  return isKnown;
}

/** The numbers that a message's first 32 bits are compared with in the handler of a code. */
async function opcodesIn(code: Cell): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const collect = (body: CodeBody = []): void => {
    body.forEach(({ name, operands, bodies }, place) => {
      const [number] = operands;
      const next = body[place + 1]?.name ?? '';
      const isCompared =
        /^(?:N?EQ|EQUAL|SUB|CMP|XOR)/.test(next) ||
        (next === 'PUSH' && /EQUAL/.test(body[place + 2]?.name ?? ''));
      if (
        /^PUSHINT/.test(name) &&
        typeof number === 'bigint' &&
        number >= 0x0100_0000n &&
        // An amount.
        number % 1_000_000n !== 0n &&
        number < 1n << 32n &&
        isCompared
      ) {
        found.add(Number(number));
      }
      bodies.forEach(collect);
    });
  };
  const { entries } = await readCodeTree(code);
  entries.filter(({ id }) => id === 0).forEach(({ body }) => collect(body));
  return found;
}
